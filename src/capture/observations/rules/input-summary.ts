import { isObject } from "../../../json/is-object.ts";
import { countCodePoints } from "../../../text/code-points.ts";
import { cutText, oneLine } from "../../../text/cut.ts";
import { inputLine, parsedInput } from "../calls/tool-input.ts";
import { isFileChange } from "../calls/tool-kind.ts";
import type { ParsedEvent } from "./parsed-event.ts";

// More lines would not be shown anyway.
const mostLines = 2000;

/**
 * A tool's input on one line, for a narrative: of an edit the old and the new text, of a command the command
 * and its description. The path is in the title already, and flags and time limits are left out. If the input
 * has any other field, all of it is shown.
 */
export function inputSummary(parsed: ParsedEvent, maxLength: number): string {
  const { toolInput } = parsed.picked;
  return shortForm(parsed, maxLength) || inputLine(toolInput, maxLength);
}

function shortForm(parsed: ParsedEvent, maxLength: number): string {
  const { picked, type } = parsed;
  const { input, files } = picked;
  const whole = parsedInput(picked.toolInput);
  if (!isObject(whole)) return "";
  const [file] = files;
  if (isFileChange(parsed) && file !== undefined && input.newText !== undefined) {
    const known = [input.oldText, input.newText];
    const isKnown = (text: string) => known.includes(text) || text.endsWith(file);
    return hasOnly(whole, isKnown) ? changeLine(input.oldText ?? "", input.newText, maxLength) : "";
  }
  if ((type === "command_run" || type === "error") && input.command !== undefined) {
    const known = [input.command, input.description];
    const purpose = input.description === undefined ? "" : ` (${input.description})`;
    return hasOnly(whole, (text) => known.includes(text)) ? oneLine(input.command + purpose, maxLength) : "";
  }
  return "";
}

function hasOnly(input: Readonly<Record<string, unknown>>, isKnown: (text: string) => boolean): boolean {
  return Object.values(input).every((value) =>
    typeof value === "string"
      ? value.trim() === "" || isKnown(value)
      : typeof value === "boolean" || typeof value === "number",
  );
}

/** The lines that differ, as `old: … new: …`, sharing the room. For a new file only its content. */
function changeLine(oldText: string, newText: string, maxLength: number): string {
  if (oldText === "") return oneLine(newText, maxLength);
  const [gone, come] = differingLines(oldText.split("\n", mostLines), newText.split("\n", mostLines));
  const went = gone.trim() === "" ? "" : `old: ${oneLine(gone, maxLength)}`;
  const came = come.trim() === "" ? "" : `new: ${oneLine(come, maxLength)}`;
  const half = Math.floor((maxLength - 1) / 2);
  const roomForOld = Math.max(half, maxLength - 1 - countCodePoints(came));
  const old = cutText(went, roomForOld);
  return cutText([old, came].filter((text) => text !== "").join(" "), maxLength);
}

/** The differing lines of both texts, without the common lines at their beginnings and ends. */
function differingLines(old: readonly string[], fresh: readonly string[]): [string, string] {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const left = (lines: readonly string[]) => lines.slice(start, lines.length - end).join("\n");
  return [left(old), left(fresh)];
}
