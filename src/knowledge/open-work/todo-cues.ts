import { lowerCase } from "../../text/lower-case.ts";
import { sentencesOf } from "../../text/sentences.ts";
import { allDoneElsewhere, cueElsewhere, nothingLeftElsewhere } from "./foreign-todo-cues.ts";

/*
 * Phrases that say that something is left to do. Texts are matched in lower case: case-insensitive Unicode
 * patterns take four times as long to compile (20 ms), which a session's start would have to wait for.
 */

const cueWords = "(?:to-?do|next steps?|remaining|follow(?:ing)?[- ]?ups?)";
const todoCue = new RegExp(String.raw`\b${cueWords}\b`);
const opensWithCue = new RegExp(String.raw`^[^\p{L}\p{N}]*${cueWords}\b`, "u");
const undone =
  "(?:done|started|implemented|finished|committed|pushed|merged|deployed|released|tested|verified|handled|covered)";
const notYet = `not (?:\\w+ )?${undone} yet|not yet ${undone}`;
/** Phrases that agents use at the end of their answers. In a prompt they would be a request. */
const answerCues = [
  "still (?:open|missing|pending|to (?:do|be done)|needs?|(?:has|have) to|fails?|failing)",
  "left (?:to do|open|undone|for (?:later|next time))",
  "open (?:for (?:later|next time)|items?|points?|tasks?)",
  notYet,
  "(?:for|until) another (?:day|time|session|change|pr)",
  "i(?:['’]ve| have)? left (?:[^\\s.!?]{1,40} ){0,4}out",
  "(?:left|skip(?:ped)?|disabled|stubbed|mocked|hard-?coded|commented out) [^.!?\\n]{0,60}\\bfor now",
  // What was not done, as opposed to what a program does not do.
  "(?:i (?:have|did)|i['’]ve) (?:not|never) (?:yet )?(?:committed|pushed|deployed|verif(?:y|ied)|test(?:ed)?|run|finish(?:ed)?|get to|got to)",
  "i (?:haven|didn)['’]t (?:yet )?(?:committed|commit|pushed|push|deployed|deploy|verif(?:y|ied)|test(?:ed)?|run|finish(?:ed)?|get to|got to)",
  "nothing (?:is|has been) (?:committed|pushed|deployed)|uncommitted changes",
  "i (?:could(?:n['’]t| not)|was(?:n['’]t| not) able to) (?:verify|test|run|reproduce|finish|deploy|push|confirm)",
  "(?:should|must|needs?|(?:has|have) to)\\b[^.!?\\n]{0,60} before (?:(?:the|we|you) )?(?:go(?:ing)? live|releas(?:e|ing)|merg(?:e|ing)|ship(?:ping)?|launch(?:ing)?|deploy(?:ing)?)",
  "you(?:['’]ll| will| still) (?:still )?(?:need|have) to",
  "waiting (?:for|on) you(?:r\\b)?",
  "postponed|deferred (?:to|until)",
];
const answerCue = new RegExp(
  String.raw`\b(?:${answerCues.join("|")})\b|(?:^|[.!?]\s)[\s*_-]*(?:next(?: time| session)?|open|left|offen|tomorrow)[*_]*:|^[\s*_#-]*(?:known )?(?:limitations?|open questions?|known (?:issues?|gaps?))[*_]*(?::|\s*$)`,
);
const anyCue = new RegExp(`${todoCue.source}|${answerCue.source}|${cueElsewhere}`);
const everyCue = new RegExp(anyCue.source, "g");
/** A cue that stands alone before a colon. */
const cueAlone = new RegExp(
  `^(?:what(?:['’]s| is) |things )?(?:(?:${cueWords}s?|still (?:open|missing|pending|to (?:do|be done))|left(?: to do| open| undone)?|(?:still )?open|offen|next(?: time| session)?|tomorrow|${notYet})(?: (?:work|tasks?|items?|points?|steps?))?|${cueElsewhere}(?: faire)?)$`,
);
/** Phrases with a cue that say that nothing is left. */
const nothingLeft = new RegExp(
  [
    String.raw`\b(?:no|nothing|none)(?: of| is| are| the| was){0,2} (?:${cueWords}s?|still|left|open)\b`,
    String.raw`\b(?:closes?|closed|closing|resolve[sd]?|finish(?:es|ed)|fixe[sd]|removed?|completes?d?|clears?|cleared) (?:[\w'’-]+ ){0,3}${cueWords}s?\b`,
    String.raw`\b${cueWords}s? (?:[^\s.!?]{1,40} ){0,4}(?:is|are|was|were) (?:now )?(?:done|closed|resolved|gone|fixed)\b`,
    String.raw`\ball(?: of| the){0,2} ${cueWords}s?\b`,
    String.raw`\b(?:is|was|were) (?:also )?the last (?:${cueWords}|open (?:item|point|task))s?\b`,
    String.raw`\b(?:${cueWords}s?|left to do|open(?: items?| points?| tasks?)?)[*_]*:[\s*_]*(?:none|nothing)\b`,
    ...nothingLeftElsewhere,
  ].join("|"),
  "g",
);

const allDone = new RegExp(
  String.raw`\b(?:all|everything)(?:['’]s| is| are)? (?:done|finished|complete)\b|${allDoneElsewhere}`,
);

/** Markdown and list marks around a cue. */
const marks = /^(?:\d{1,3}[.)]|[\s*_#+•-])+|(?<![\s*_])[\s*_]+$/gu;

/** Whether a text names something to do. */
export function mentionsTodo(text: string): boolean {
  return todoCue.test(lowerCase(text).replace(nothingLeft, ""));
}

/** Whether a line begins with a cue. For the input of tools, where a cue inside a line means nothing. */
export function startsWithTodo(line: string): boolean {
  return opensWithCue.test(lowerCase(line));
}

/** Whether an answer says in any of these ways that something is left to do. */
export function mentionsOpenWork(text: string): boolean {
  return anyCue.test(lowerCase(text).replace(nothingLeft, ""));
}

/**
 * An item without cues at its beginning that say no more than that it is open: `Still to do: the docs` → `the
 * docs`, and without what it tells before such a cue.
 */
export function withoutTodoCue(item: string): string {
  let told = fromTodoCue(item);
  for (let rest = behindCue(told); rest !== ""; rest = behindCue(told)) told = rest;
  return told;
}

const pointsBack = /\b(?:it|its|them|they|their|this|that|these|those|both)\b(?! own\b)/i;

/**
 * An item from the sentence on with which its open work begins: `All tests pass. Next: the docs` → `Next: the docs`.
 * Unchanged if the sentence needs those before it.
 */
export function fromTodoCue(item: string): string {
  if (!/[:：]/u.test(item)) return item;
  const opening = [...sentencesOf(item)].find(mentionsOpenWork) ?? "";
  const introduction = opening.slice(0, opening.search(/[:：]/u) + 1);
  return !mentionsOpenWork(introduction) || pointsBack.test(opening)
    ? item
    : item.slice(Math.max(0, item.indexOf(opening)));
}

/** A text in lower case without the phrases that say that something is left to do. */
export function withoutCues(text: string): string {
  return lowerCase(text)
    .replace(everyCue, " ")
    .replace(/\b(?:is|are) still\b|\bstill\b/g, " ");
}

/** The text after a cue and its colon; "" where there is none. */
function behindCue(item: string): string {
  const colon = item.search(/[:：]/u);
  if (colon < 0 || !cueAlone.test(lowerCase(item.slice(0, colon).replace(marks, "")))) return "";
  return item.slice(colon + 1).replace(/^[\s*_]+/u, "");
}

/** Whether an answer says that nothing is left to do. */
export function saysAllDone(text: string): boolean {
  const said = lowerCase(text);
  return allDone.test(said) || said.search(nothingLeft) >= 0;
}
