import truncatedWidth from "fast-string-truncated-width";
import type { Terminal } from "../terminal.ts";
import { oneLine } from "./text.ts";

/** A text of any length, which is cut to the room that the other fields of its row leave. */
export interface Fitting {
  readonly whole: string;
  readonly paint?: (text: string) => string;
}

export type Field = string | Fitting;

/** A fitting text that would be shorter beside all other fields has the last of them go below. */
const leastBeside = 40;
const least = 20;
const gap = 2;

/**
 * Rows of as many fields each as lines: in even columns for people, and two blanks apart for programs. Where the terminal
 * is too narrow for them the last field stands below the others. Of the fields of a row one may be fitting.
 */
export function inColumns(
  rows: readonly (readonly Field[])[],
  { isForPeople, columns }: Pick<Terminal, "isForPeople" | "columns">,
): string[] {
  if (!isForPeople) return rows.map((row) => asLine(row.map((field) => cut(field, columns))));
  const room = columns - widthBeside(rows);
  const wanted = Math.max(0, ...rows.flat().map(fittingWidth));
  if (room >= wanted) return evenLines(rows, room);
  const beginnings = rows.map((row) => row.slice(0, -1));
  const lines = evenLines(beginnings, Math.max(least, columns - widthBeside(beginnings)));
  return rows.flatMap((row, at) => {
    const last = cut(row.at(-1) ?? "", columns - gap);
    return [lines[at] ?? "", ...(last === "" ? [] : [`${" ".repeat(gap)}${last}`])];
  });
}

/** What all fields take but the fitting ones, with the blanks between. */
function widthBeside(rows: readonly (readonly Field[])[]): number {
  const fields = columnsOf(rows);
  const widest = fields.map((column) =>
    Math.max(0, ...column.map((field) => (typeof field === "string" ? widthOf(field) : 0))),
  );
  return widest.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, fields.length - 1);
}

function fittingWidth(field: Field): number {
  return typeof field === "string" ? 0 : widthOf(oneLine(field.whole, leastBeside));
}

function cut(field: Field, width: number): string {
  if (typeof field === "string") return field;
  const { whole, paint = (text) => text } = field;
  return paint(oneLine(whole, width));
}

function columnsOf<Value>(rows: readonly (readonly Value[])[]): Value[][] {
  return (rows[0] ?? []).map((_, column) => rows.flatMap((row) => row.slice(column, column + 1)));
}

function evenLines(rows: readonly (readonly Field[])[], room: number): string[] {
  const shown = columnsOf(rows).map((column) => evenly(column.map((field) => cut(field, room))));
  return rows.map((_, row) => asLine(shown.map((texts) => texts[row] ?? "")));
}

function asLine(fields: readonly string[]): string {
  return fields.join(" ".repeat(gap)).trimEnd();
}

/** Texts filled up with blanks to one width, as terminals count it. */
function evenly(texts: readonly string[]): string[] {
  const widths = texts.map(widthOf);
  const widest = Math.max(...widths);
  return texts.map((text, at) => text + " ".repeat(widest - (widths[at] ?? 0)));
}

function widthOf(text: string): number {
  return truncatedWidth(text).width;
}
