import { leftOfPlan } from "../../capture/observations/calls/plan.ts";
import { isPlanEntry, lastPlanOf } from "../../capture/observations/calls/told-plan.ts";
import { isLook } from "../../capture/observations/calls/tool-kind.ts";
import { isAgentNote } from "../../capture/observations/prose/agent-notes.ts";
import type { SessionObservation } from "../../capture/observations/reads/read-session.ts";
import { outputArrow } from "../../capture/observations/rules/output-arrow.ts";
import { countCodePoints, cutCodePoints } from "../../text/code-points.ts";
import { endsInColon, heading, introducedList, listAfter, listMark } from "../../text/lists.ts";
import { sentencesOf } from "../../text/sentences.ts";
import { nothingDone } from "./done-work.ts";
import { mentionsOpenWork, mentionsTodo, startsWithTodo } from "./todo-cues.ts";

/* What a session leaves to be done, found by rules, in its own words. */

/** Input and output of tools: a cue inside a line means nothing there, only one at its beginning. */
const toolWork = new Set(["command_run", "error", "file_edit", "file_write"]);
const pieceEnd = new RegExp(`\n|${outputArrow}`, "u");
/** The box of a task list, empty or ticked. */
const emptyBox = /^\[ \]\s+/u;
const tickedBox = /^\[[xX]\]\s/u;
const endsSentence = /[.!?…。！？][\s*_]*$/u;
const fence = /^(?:```|~~~)/u;
const longestItem = 200;

type SessionEntry = Pick<SessionObservation, "type" | "hookType" | "narrative" | "files">;

/** Says what is left of an item that was named in an entry. */
type LeftOfEntry<Entry> = (item: string, said: Entry) => string[];

/** What a session says is left to do, in its order. Plans are left out: they are made anew with each step. */
export function openItems<Entry extends SessionEntry>(
  seen: readonly Entry[],
  leftOf: LeftOfEntry<Entry> = nothingDone,
): string[] {
  return itemsOf(seen, leftOf, ({ hookType, narrative }) =>
    hookType === "stop" ? openItemsOfAnswer(narrative) : itemsInText(narrative, mentionsTodo),
  );
}

/** The lines in which a session names something to do, unchanged; one that introduces a list, with its items. */
export function todoLines<Entry extends SessionEntry>(
  seen: readonly Entry[],
  leftOf: LeftOfEntry<Entry> = nothingDone,
): string[] {
  return itemsOf(seen, leftOf, ({ narrative }) => todoLinesIn(narrative));
}

function todoLinesIn(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  let taken = 0;
  return lines.flatMap((line, at) => {
    if (at < taken || !mentionsTodo(line) || isTicked(line)) return [];
    const { items, end } = introducedList(lines, at);
    taken = end;
    return end === 0 ? [line] : joined(line, items);
  });
}

function itemsOf<Entry extends SessionEntry>(
  seen: readonly Entry[],
  leftOf: LeftOfEntry<Entry>,
  itemsIn: (said: Entry) => readonly string[],
): string[] {
  const items = seen
    // Content that was only looked at says what others have to do.
    .filter((one) => !isPlanEntry(one) && !isLook(one) && !isNote(one))
    .flatMap((one) => {
      const named = toolWork.has(one.type)
        ? one.narrative.split(pieceEnd).filter(startsWithTodo)
        : itemsIn(one);
      return named.flatMap((line) => leftOf(cutCodePoints(line.trim(), longestItem), one));
    });
  return [...new Set(items)];
}

/** The open steps of a session's last plan, as a single item; none if nothing is open. */
export function openItemsOfLastPlan<Entry extends SessionEntry>(
  seen: readonly Entry[],
  leftOf: LeftOfEntry<Entry> = nothingDone,
): string[] {
  const told = seen.filter(isPlanEntry);
  const last = told.at(-1);
  const plan = lastPlanOf(told.map(({ narrative }) => narrative));
  if (last === undefined || plan === undefined) return [];
  const left = leftOfPlan(plan, (step) => leftOf(step, last).length > 0);
  return left === undefined ? [] : [left];
}

function isNote({ type, narrative }: SessionEntry): boolean {
  return type === "conversation" && isAgentNote(narrative);
}

/** What an answer says is left to do. */
export function openItemsOfAnswer(answer: string): string[] {
  return itemsInText(answer, (said) => mentionsOpenWork(said) || isEmptyBox(said));
}

function isEmptyBox(line: string): boolean {
  return listMark.test(line) && emptyBox.test(line.replace(listMark, ""));
}

/**
 * The lines with a cue. A line that introduces a list is joined with its items; a long line is reduced to its
 * sentences with the cue.
 */
function itemsInText(text: string, hasCue: (said: string) => boolean): string[] {
  const lines = proseOf(text);
  let taken = 0;
  return lines.flatMap((line, at) => {
    if (at < taken || !hasCue(line)) return [];
    const { items, end } = opensList(line) ? listAfter(lines, at) : { items: [], end: 0 };
    if (end > 0) {
      taken = end;
      return joined(lastWith(hasCue, line), items);
    }
    // At the end of a text, a colon announces the call that follows.
    if (endsInColon.test(line)) return lines.length === at + 1 ? [] : [lastWith(hasCue, line)];
    if (isEmptyBox(line)) return [withoutBox(line)];
    if (heading.test(line))
      return paragraphUnder(lines, at, hasCue).map((under) => `${headOf(line)} ${under}`);
    return countCodePoints(line) <= longestItem ? [line] : [...sentencesOf(line)].filter(hasCue);
  });
}

/** The lines of a text outside code blocks. */
function proseOf(text: string): string[] {
  let isCode = false;
  return text.split("\n").flatMap((line) => {
    const prose = line.trim();
    if (fence.test(prose)) isCode = !isCode;
    return isCode || fence.test(prose) ? [] : [prose];
  });
}

function opensList(line: string): boolean {
  return endsInColon.test(line) || !(listMark.test(line) || endsSentence.test(line));
}

/** The last sentence of a line if it has the cue, else the whole line. */
function lastWith(hasCue: (said: string) => boolean, line: string): string {
  const sentences = [...sentencesOf(line)];
  const last = sentences.at(-1);
  return last !== undefined && sentences.length > 1 && hasCue(last) ? last : line;
}

/** A line as the introduction to what follows it. */
function headOf(line: string): string {
  if (endsInColon.test(line)) return line;
  const [, marked, bold] = heading.exec(line) ?? [];
  return `${marked ?? bold ?? line}:`;
}

/** The first line under a heading, unless it is found by itself. */
function paragraphUnder(
  lines: readonly string[],
  at: number,
  hasCue: (said: string) => boolean,
): readonly string[] {
  const first = lines.slice(at + 1).find((line) => line !== "");
  return first === undefined || hasCue(first) || heading.test(first) ? [] : [first];
}

/** A line with what the list that it introduces leaves open; none if that is nothing. */
function joined(line: string, items: readonly string[]): string[] {
  const open = items.filter((item) => !isTicked(item)).map(withoutBox);
  return open.length === 0 ? [] : [`${headOf(line)} ${open.join("; ")}`];
}

function isTicked(line: string): boolean {
  return tickedBox.test(line.replace(listMark, ""));
}

/** A line without its list mark and its empty box. */
function withoutBox(line: string): string {
  return line.replace(listMark, "").replace(emptyBox, "");
}
