import { sentencesOf } from "../../text/sentences.ts";
import { withoutTodoCue } from "../open-work/todo-cues.ts";
import { announcesFinding, explains, ownWordsOf, tellsFinding } from "./finding-cues.ts";
import { tellsFix, tellsMending } from "./fix-cues.ts";
import { isUnproven } from "./unproven.ts";

/** What an agent found out, in its own words. */
export interface Finding {
  /** The sentence that names the cause. */
  readonly cause: string;
  /** The cause, and in a second sentence what was done about it, if that was said at once. */
  readonly text: string;
  /** The sentence before, which may say what went wrong. */
  readonly before: string | undefined;
}

/** More than an answer tells; a longer list is a report about something else. */
const mostFindings = 3;
/** Code points of a sentence. Longer ones are tables or data. */
const longestSentence = 600;
/** In fewer words nothing is named. */
const fewestWords = 4;
const unspaced = /[\u3040-\u30ff\u3400-\u9fff]{4}|[\uac00-\ud7af]/;
/** Lines that quote somebody, rows of tables, and what npm printed. */
const quotedLine = /^[ \t]{0,3}(?:>|\||npm (?:ERR!|error |warn )).*$/gm;

/** The findings that an agent's answer or the message of its commit states, in order. */
export function findingsIn(text: string): Finding[] {
  const sentences = [...sentencesOf(text.replace(quotedLine, ""))];
  const findings: Finding[] = [];
  for (let at = 0; at < sentences.length && findings.length < mostFindings; at += 1) {
    const before = sentences[at - 1];
    const isAnnounced = before !== undefined && announcesFinding(ownWordsOf(before));
    const sentence = sentences[at] ?? "";
    const next = sentences[at + 1];
    if (!isFinding(sentence, isAnnounced) && !isMended(sentence, next)) continue;
    const fix = next !== undefined && isFix(next) ? next : undefined;
    findings.push({
      cause: sentence,
      text: fix === undefined ? sentence : `${sentence} ${fix}`,
      before: isAnnounced ? sentences[at - 2] : before,
    });
  }
  return findings;
}

function isFinding(sentence: string, isAnnounced: boolean): boolean {
  if (sentence.length > longestSentence || !saysEnough(sentence)) return false;
  const words = ownWordsOf(sentence);
  return (isAnnounced ? !isUnproven(words) : tellsFinding(words)) && isNotOpen(sentence);
}

/** `The mail is rejected because it has no date. Fixed it in mail.ts.` */
function isMended(sentence: string, next: string | undefined): boolean {
  return (
    next !== undefined &&
    saysEnough(sentence) &&
    sentence.length <= longestSentence &&
    explains(ownWordsOf(sentence)) &&
    tellsMending(ownWordsOf(next))
  );
}

function isFix(sentence: string): boolean {
  const words = ownWordsOf(sentence);
  return (
    sentence.length <= longestSentence &&
    tellsFix(words) &&
    !tellsFinding(words) &&
    !isUnproven(words) &&
    isNotOpen(sentence)
  );
}

function isNotOpen(sentence: string): boolean {
  return withoutTodoCue(sentence) === sentence;
}

function saysEnough(sentence: string): boolean {
  return sentence.split(/\s+/u).length >= fewestWords || unspaced.test(sentence);
}
