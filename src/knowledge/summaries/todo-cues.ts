import { lowerCase } from "../../text/lower-case.ts";

/*
 * In which words somebody says that something is left to do. They are looked for in lower case, without classes of
 * Unicode: patterns that ignore case take four times as long to be made ready (20 ms), at a session's start.
 */

const cueWords = "(?:to-?do|next steps?|remaining|follow(?:ing)?[- ]?ups?)";
const todoCue = new RegExp(String.raw`\b${cueWords}\b`);
const opensWithCue = new RegExp(String.raw`^[^\p{L}\p{N}]*${cueWords}\b`, "u");
/** How agents say it at the end of their answers; a user who says so asks for it. */
const answerCue =
  /\b(?:still (?:open|missing|pending|to (?:do|be done))|left (?:to do|open|undone|for (?:later|next time))|open (?:for (?:later|next time)|items?|points?|tasks?)|not (?:\w+ )?(?:done|started|implemented|finished) yet|not yet (?:done|started|implemented|finished))\b|(?:^|[.!?]\s)[\s*_-]*(?:next|open)[*_]*:/;
const letter = "[a-zß-ÿœ]";
/** The same in German, French and Spanish. */
const cueWordsElsewhere =
  "(?:noch (?:offen|zu (?:tun|erledigen)|nicht (?:fertig|erledigt|gemacht|begonnen|umgesetzt|implementiert)|fehl(?:t|en))|fehl(?:t|en) noch|steh(?:t|en) noch aus|als nächstes|nächste schritte|offene (?:punkte|aufgaben)|reste(?:nt)? (?:encore )?à|à faire|prochaines? étapes?|pas encore (?:fait|terminé|implémenté)e?s?|por hacer|pendientes?|próximos? pasos?|quedan? por|faltan? por)";
const anyCue = new RegExp(
  `${todoCue.source}|${answerCue.source}|(?<!${letter})${cueWordsElsewhere}(?!${letter})`,
);
/** Nothing but such a cue, before a colon. */
const cueAlone = new RegExp(
  `^(?:what(?:['’]s| is) |things )?(?:(?:${cueWords}s?|still (?:open|missing|pending|to (?:do|be done))|left(?: to do| open| undone)?|(?:still )?open|next)(?: (?:work|tasks?|items?|points?|steps?))?|${cueWordsElsewhere}(?: faire)?)$`,
);
/** A cue in such words leaves nothing to do. */
const nothingLeft = new RegExp(
  [
    String.raw`\b(?:no|nothing|none)(?: of| is| are| the| was){0,2} (?:${cueWords}s?|still|left|open)\b`,
    String.raw`\ball(?: of| the){0,2} ${cueWords}s?\b`,
    String.raw`\b(?:${cueWords}s?|left to do|open(?: items?| points?| tasks?)?)[*_]*:[\s*_]*(?:none|nothing)\b`,
    String.raw`\b(?:nichts|keine?|rien|nada)(?: ${letter}+){0,2} ${cueWordsElsewhere}(?!${letter})`,
    String.raw`(?<!${letter})${cueWordsElsewhere}[*_]*\s?:[\s*_]*(?:nichts|keine?|rien|aucune?|nada|ninguno)\b`,
  ].join("|"),
  "g",
);

const allDone =
  /\b(?:all|everything)(?:['’]s| is| are)? (?:done|finished|complete)\b|\b(?:alles (?:erledigt|fertig)|tout est (?:fait|fini|terminé)|todo (?:está )?(?:hecho|listo|terminado))/;

/** What Markdown and lists put around a cue. */
const marks = /^(?:\d{1,3}[.)]|[\s*_#+•-])+|(?<![\s*_])[\s*_]+$/gu;

/** Whether a text calls something a thing to do. */
export function mentionsTodo(text: string): boolean {
  return todoCue.test(lowerCase(text).replace(nothingLeft, ""));
}

/** Whether a line begins with calling it so: a word in what a tool was given is no plan. */
export function startsWithTodo(line: string): boolean {
  return opensWithCue.test(lowerCase(line));
}

/** Whether an answer says in any words that something is left to do. */
export function mentionsOpenWork(text: string): boolean {
  return anyCue.test(lowerCase(text).replace(nothingLeft, ""));
}

/** What is left, without words at its beginning that say no more than that it is: `Still to do: the docs` → `the docs`. */
export function withoutTodoCue(item: string): string {
  let told = item;
  for (let rest = behindCue(told); rest !== ""; rest = behindCue(told)) told = rest;
  return told;
}

/** What stands behind a cue and its colon; "" where there is none. */
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
