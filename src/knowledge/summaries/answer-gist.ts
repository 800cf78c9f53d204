import { firstSentence, sentencesOf } from "../../capture/observations/rules/sentences.ts";
import { oneLine } from "../../text/cut.ts";
import { dictionaryScripts } from "../../text/scripts.ts";
import { withoutSentenceEnd, withSentenceEnd } from "./sentence-ends.ts";

/* What an agent's answers came to: mostly their first sentences. */

const longestGist = 300;
/** Of an answer's first sentence that says anything. */
const fewestWords = 4;

/** What the last answer says; of one that is no more than `Pushed.` with what the last that says anything came to. */
export function finalGist(answers: readonly string[]): string[] {
  const last = answers.at(-1);
  if (last === undefined) return [];
  const end = gistOf(last);
  if (!saysLittle(end)) return [end];
  const before = answers.findLast(isInformative);
  return [
    before === undefined
      ? end
      : `${withoutSentenceEnd(end)} (before that: ${withoutSentenceEnd(gistOf(before))})`,
  ];
}

/** Whether an answer says more than a word or two. */
export function isInformative(answer: string): boolean {
  return !saysLittle(gistOf(answer));
}

/** What those of a session's answers came to that say more than a word or two. */
export function informativeGists(answers: readonly string[]): string[] {
  return answers.map(gistOf).filter((conclusion) => !saysLittle(conclusion));
}

/** The first sentence of an answer; with the next where it says no more than `All done.` */
function gistOf(answer: string): string {
  const first = firstSentence(answer, longestGist);
  if (!saysLittle(first)) return first;
  const sentences = [...sentencesOf(answer)].filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const [next] = sentences.slice(1);
  return next === undefined ? first : oneLine(`${withSentenceEnd(first)} ${next}`, longestGist);
}

/** Text of scripts without blanks is counted by its letters. */
const unspacedSentence = new RegExp(`[${dictionaryScripts}]{6}`, "u");

function saysLittle(sentence: string): boolean {
  return sentence.split(/\s+/u).length < fewestWords && !unspacedSentence.test(sentence);
}
