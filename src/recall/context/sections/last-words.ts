import { leftOfPlan } from "../../../capture/observations/calls/plan.ts";
import { isAgentNote } from "../../../capture/observations/prose/agent-notes.ts";
import { isFarewell } from "../../../capture/observations/prose/short-reply.ts";
import type { Answer, Plan } from "../../../capture/observations/reads/last-statements.ts";
import type { LeftOf } from "../../../knowledge/open-work/done-work.ts";
import { lastOpenItems } from "../../../knowledge/open-work/last-open-items.ts";
import { mentionsOpenWork, withoutTodoCue } from "../../../knowledge/open-work/todo-cues.ts";
import { informativeGists, isInformative } from "../../../knowledge/summaries/answer-gist.ts";
import { announcesNextStep } from "../../../knowledge/summaries/next-step.ts";
import { countCodePoints } from "../../../text/code-points.ts";
import { withoutSentenceEnd, withSentenceEnd } from "../../../text/sentence-ends.ts";
import { sentencesOf } from "../../../text/sentences.ts";
import { shortened } from "../safe-text.ts";
import type { Line } from "../section.ts";

const mostOpenItems = 3;
const longestLine = 200;
const longestRest = 300;
const shortestTold = 60;

/** Results of the last prompts that the lines do not tell yet: a summary by rules only tells that of one prompt. */
export function otherEnds(lines: readonly Line[], answers: readonly Answer[]): Line[] {
  const ends = informativeGists(answers.map(({ narrative }) => narrative)).filter(
    (end) => !announcesNextStep(end),
  );
  return untold(ends, lines).map((end) => detail(end === ends.at(-1) ? "Since then" : "Before that", end));
}

/**
 * What the last informative answer says beyond the lines, such as the cause of what it reports as fixed. Its questions
 * and what it leaves to do are told in other lines.
 */
export function restOfEnd(lines: readonly Line[], answers: readonly Answer[]): Line[] {
  const sentences = [...sentencesOf(lastInformative(answers))].filter(
    (sentence) => !tellsNothing.test(sentence) && !announcesNextStep(sentence) && !mentionsOpenWork(sentence),
  );
  const [first = "", ...more] = untold(sentences, lines);
  const rest = joinedWithin(longestRest, shortened(first, longestRest), more);
  return rest === "" ? [] : [{ kind: "detail", text: `In detail: ${rest}` }];
}

/** The last answer that says more than a word or two. */
export function lastInformative(answers: readonly Answer[]): string {
  return answers.findLast(({ narrative }) => isInformative(narrative))?.narrative ?? "";
}

/** A question, the announcement of a list, a heading without a letter, or rows of a table. */
const tellsNothing = /[?？:：]\W*$|^[\P{L}]*$|^\s*\|/u;

/** The first text, and as many of the next ones as fit. */
function joinedWithin(maxLength: number, first: string, more: readonly string[]): string {
  let text = first;
  for (const next of more) {
    const longer = `${withSentenceEnd(text)} ${next}`;
    if (countCodePoints(longer) > maxLength) break;
    text = longer;
  }
  return text;
}

/** The last answers and the last plan of a session. */
export interface LastWords {
  readonly answers: readonly Answer[];
  readonly plan: Plan | undefined;
}

/** When the words were said that leave something to do; undefined if nothing was left. */
export function leftWorkAt({ answers, plan }: LastWords): number | undefined {
  const named = lastOpenItems(answers);
  const times = [
    ...(named === undefined ? [] : [named.answer.at]),
    ...(plan !== undefined && leftOfPlan(plan.text) !== undefined ? [plan.at] : []),
  ];
  return times.length === 0 ? undefined : Math.min(...times);
}

/**
 * Lines on what the session's last answers and plan leave to do, without what `leftOf` says was done since. Later
 * sessions may have done more of it.
 */
export function leftToDo(
  lines: readonly Line[],
  { answers, plan }: LastWords,
  { isNewest, leftOf }: { readonly isNewest: boolean; readonly leftOf: LeftOf },
): Line[] {
  const left = itemsToldLeft(lines, answers, { isNewest, leftOf });
  const planned =
    plan === undefined ? undefined : leftOfPlan(plan.text, (step) => leftOf(step, plan.at).length > 0);
  return [
    ...left,
    ...(planned === undefined ? [] : [detail("Last plan", planned)]),
    ...untold(openQuestionOf(answers), [...lines, ...left]).map((question) =>
      detail("Asked at the end", question),
    ),
  ];
}

/** Of the same lines, those on what an answer said was left. */
export function itemsToldLeft(
  lines: readonly Line[],
  answers: readonly Answer[],
  { isNewest, leftOf }: { readonly isNewest: boolean; readonly leftOf: LeftOf },
): Line[] {
  const named = lastOpenItems(answers);
  const left = named === undefined ? [] : named.items.flatMap((item) => leftOf(item, named.answer.at));
  return itemsLeft(left, lines, isNewest ? "Left to do" : "Left to do then").slice(0, mostOpenItems);
}

/** A line for a session whose last prompt got no answer, because it was interrupted. */
export function brokenOff(lines: readonly Line[], unanswered: string | undefined): Line[] {
  if (unanswered === undefined || isAgentNote(unanswered) || isFarewell(unanswered)) return [];
  const [prompt] = untold([unanswered], lines.slice(0, 1));
  return [
    detail("Broke off", prompt === undefined ? "without an answer" : `without an answer to: ${prompt}`),
  ];
}

/** `Is there anything else I can help with?` */
const politeQuestion = /\b(?:anything|something) else\b|\bhelps?\b/iu;

/** The question with which the last answer ended, if nobody acted on it. */
function openQuestionOf(answers: readonly Answer[]): string[] {
  const last = answers.at(-1);
  if (last === undefined || last.hasWorkAfter) return [];
  const question = [...sentencesOf(last.narrative)].at(-1) ?? "";
  return /[?？]$/u.test(question) && !politeQuestion.test(question) ? [question] : [];
}

/** Open items as lines, without what other lines already tell. */
export function itemsLeft(items: readonly string[], lines: readonly Line[], label = "Left to do"): Line[] {
  return items.flatMap((item) => restOf(item, lines)).map((item) => detail(label, withoutTodoCue(item)));
}

/** An item without those sentences at its beginning that lines already tell. */
function restOf(item: string, lines: readonly Line[]): string[] {
  const sentences = [...sentencesOf(item)];
  const from = sentences.findIndex((sentence) => untold([sentence], lines).length > 0);
  if (from === 0) return untold([item], lines);
  const rest = sentences.slice(from < 0 ? sentences.length : from).join(" ");
  return mentionsOpenWork(rest) ? [rest] : [];
}

/** The texts that no line contains, not even by their beginnings. */
function untold(texts: readonly string[], lines: readonly Line[]): string[] {
  return texts.filter((text) => {
    const beginning = withoutSentenceEnd(text).slice(0, shortestTold);
    return !lines.some((line) => line.text.includes(beginning));
  });
}

function detail(label: string, text: string): Line {
  return { kind: "detail", text: `${label}: ${shortened(text, longestLine)}` };
}
