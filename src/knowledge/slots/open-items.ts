import type { Happening } from "../../capture/observations/reads/happenings.ts";
import { isPlan, leftOfPlan, planTypes } from "../../capture/observations/rules/plan.ts";
import { sentencesOf } from "../../capture/observations/rules/sentences.ts";
import { lengthOf } from "../../text/cut.ts";
import { cutCodePoints } from "../../text/estimate.ts";

/* What a session said is left to do, by rules and in its own words. */

const cueWords = "(?:to-?do|next steps?|remaining|follow(?:ing)?[- ]?ups?)";
const todoCue = new RegExp(String.raw`\b${cueWords}\b`, "iu");
const opensWithCue = new RegExp(String.raw`^[^\p{L}\p{N}]*${cueWords}\b`, "iu");
/** How agents say it at the end of their answers; a user who says so asks for it. */
const answerCue =
  /\b(?:still (?:open|missing|pending|to (?:do|be done))|left (?:to do|open|undone|for (?:later|next time))|open (?:for (?:later|next time)|items?|points?|tasks?)|not (?:\w+ )?(?:done|started|implemented|finished) yet|not yet (?:done|started|implemented|finished))\b|(?:^|[.!?]\s)[\s*_-]*(?:next|open)[*_]*:/iu;
/** What a tool was given and what it answered: a word of it is no plan, a line that opens with a cue may be. */
const toolWork = new Set(["command_run", "error", "file_edit", "file_write"]);
/** What was only looked at tells what others have left to do. */
const lookedAt = new Set(["file_read", "search", "web_fetch"]);
/** A cue in such words leaves nothing to do. */
const nothingLeft = new RegExp(
  [
    String.raw`\b(?:no|nothing|none)(?: of| is| are| the| was){0,2} (?:${cueWords}s?|still|left|open)\b`,
    String.raw`\ball(?: of| the){0,2} ${cueWords}s?\b`,
    String.raw`\b(?:${cueWords}s?|left to do|open(?: items?| points?| tasks?)?)[*_]*:[\s*_]*(?:none|nothing)\b`,
  ].join("|"),
  "giu",
);
const opensList = /:[\s*_]*$/u;
const heading = /^(?:#{1,6}\s|(?:\*\*|__).*(?:\*\*|__)$)/u;
const listMark = /^(?:[-*+•]|\d{1,3}[.)])\s+/u;
const longestItem = 200;

type Told = Pick<Happening, "type" | "hookType" | "narrative" | "files">;

/** What a session said is left to do, in its order. Plans, which are made anew with each step, are left out. */
export function openItems(seen: readonly Told[]): string[] {
  const items = seen
    .filter((one) => !isPlanned(one))
    .filter(({ type }) => !lookedAt.has(type))
    .flatMap(({ type, hookType, narrative }) => {
      if (toolWork.has(type)) return narrative.split(/\n| → /u).filter((line) => opensWithCue.test(line));
      return hookType === "stop" ? openItemsOfAnswer(narrative) : told(narrative, todoCue);
    })
    .map((line) => cutCodePoints(line.trim(), longestItem));
  return [...new Set(items)];
}

/** What the last plan of a session leaves to do, as one item, or none. */
export function leftOfLastPlan(seen: readonly Told[]): string[] {
  const left = leftOfPlan(seen.findLast(isPlanned)?.narrative ?? "");
  return left === undefined ? [] : [left];
}

function isPlanned({ type, narrative, files }: Told): boolean {
  return planTypes.has(type) && files.length === 0 && isPlan(narrative);
}

/** What an answer says is left to do. */
export function openItemsOfAnswer(answer: string): string[] {
  return told(answer, new RegExp(`${todoCue.source}|${answerCue.source}`, "iu"));
}

/** The lines with the cue. One that opens a list takes the list along, of a long one the sentences with the cue stay. */
function told(text: string, cue: RegExp): string[] {
  const isLeft = (said: string) => cue.test(said.replace(nothingLeft, ""));
  const lines = text.split("\n").map((line) => line.trim());
  return lines.flatMap((line, at) => {
    if (!isLeft(line)) return [];
    if (opensList.test(line)) return [[line, listAfter(lines, at).join("; ")].join(" ").trim()];
    const below = heading.test(line) ? listAfter(lines, at) : [];
    if (below.length > 0) return [`${line.replace(/^#+\s+/u, "")}: ${below.join("; ")}`];
    return lengthOf(line) <= longestItem ? [line] : [...sentencesOf(line)].filter(isLeft);
  });
}

function listAfter(lines: readonly string[], at: number): string[] {
  const following = lines.slice(at + 1).filter((line) => line !== "");
  const end = following.findIndex((line) => !listMark.test(line));
  return following.slice(0, end < 0 ? following.length : end).map((line) => line.replace(listMark, ""));
}
