import { isContainer } from "../../json/is-object.ts";
import { withoutBrokenWord } from "../../text/cut.ts";
import { beginningWithin, widthOf } from "./text-width.ts";

/**
 * Characters that JSON does not escape but that affect a terminal: control characters, and bidirectional controls,
 * which could make a line read as another one.
 */
const leftByJson = "\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069";
const unescaped = new RegExp(`[${leftByJson}]`, "gu");
const control = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${leftByJson}]`, "g");
const lastCharacter = /.$/su;
const halfCharacter = /[\ud800-\udbff]$/u;
/** A text with more UTF-16 units per column is cut, whatever they are. */
const mostUnits = 16;

/** Text on one line without control characters, cut to a number of columns with an ellipsis. */
export function oneLine(text: string, width: number): string {
  const line = printable(text).replace(/\s+/gu, " ").trim();
  // A UTF-16 unit takes at most two columns.
  if (2 * line.length <= width) return line;
  const beginning = line.slice(0, mostUnits * width);
  const fitting = beginningWithin(beginning, width);
  if (fitting === undefined && beginning.length === line.length) return line;
  let cut = (fitting ?? beginning).replace(halfCharacter, "");
  // Where scripts alternate, the library counts a character too few.
  while (cut !== "" && widthOf(cut) >= width) cut = cut.replace(lastCharacter, "");
  const isBetweenWords = line[cut.length] === " " || cut.endsWith(" ");
  return isBetweenWords ? `${cut.trimEnd()}…` : withoutBrokenWord(`${cut}…`);
}

/** Removes control characters other than line breaks and tabs from stored text, so that it cannot move the cursor. */
export function printable(text: string): string {
  return text.replace(control, "");
}

/** A copy of a value with all texts made printable; the same value if they already are. */
export function printableThroughout(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (!isContainer(value) || isPrintable(value)) return value;
  if (Array.isArray(value)) return value.map(printableThroughout);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [printable(key), printableThroughout(item)]),
  );
}

function isPrintable(value: unknown): boolean {
  if (typeof value === "string") return value.search(control) < 0;
  if (Array.isArray(value)) return value.every(isPrintable);
  if (!isContainer(value)) return true;
  return Object.entries(value).every(([key, item]) => isPrintable(key) && isPrintable(item));
}

/**
 * A value as JSON on one line. Characters that JSON does not escape but a terminal may obey are escaped; the value is
 * the same.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    unescaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
