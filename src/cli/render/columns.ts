import type { Terminal } from "../terminal/terminal.ts";
import { oneLine } from "./text.ts";
import { widthOf } from "./text-width.ts";
import { wrapLines } from "./wrap-lines.ts";

/** A text of any length, which is cut to the space that the other fields of its row leave. */
interface Fitting {
  readonly whole: string;
  readonly paint?: (text: string) => string;
}

export type Field = string | Fitting;

/** If a fitting text would get less space than this, the last fields of the row move to a line below. */
const leastBeside = 40;
const least = 20;
const gap = 2;

/**
 * Formats rows with the same number of fields as lines: in aligned columns for people, separated by two blanks for
 * programs. If the terminal is too narrow, the last fields go below the others. At most one field of a row may be
 * fitting.
 */
export function inColumns(
  rows: readonly (readonly Field[])[],
  { isForPeople, columns }: Pick<Terminal, "isForPeople" | "columns">,
): string[] {
  if (!isForPeople) return rows.map((row) => asLine(row.map((field) => cut(field, columns))));
  const room = columns - widthBeside(rows);
  const wanted = Math.max(0, ...rows.flat().map(fittingWidth));
  if (room >= wanted) return evenLines(rows, room);
  const count = countBeside(rows, columns);
  const beginnings = rows.map((row) => row.slice(0, count));
  const lines = evenLines(beginnings, Math.max(least, columns - widthBeside(beginnings)));
  return rows.flatMap((row, at) => [
    lines[at] ?? "",
    ...below(row.slice(count), columns - gap).map((line) => `${" ".repeat(gap)}${line}`),
  ]);
}

/** How many fields, from the first on, fit side by side if not all do. */
function countBeside(rows: readonly (readonly Field[])[], columns: number): number {
  for (let count = (rows[0]?.length ?? 0) - 1; count > 1; count -= 1) {
    const beginnings = rows.map((row) => row.slice(0, count));
    const fitting = Math.max(0, ...beginnings.flat().map(fittingWidth));
    if (widthBeside(beginnings) + Math.min(least, fitting) <= columns) return count;
  }
  return 1;
}

/** The remaining fields of a row, as many per line as fit. */
function below(fields: readonly Field[], width: number): string[] {
  const lines: Field[][] = [];
  for (const field of fields) {
    if (cut(field, width) === "") continue;
    const last = lines.at(-1);
    const together = [...(last ?? []), field];
    const fitting = Math.max(0, ...together.map(fittingWidth));
    if (last !== undefined && widthBeside([together]) + Math.min(least, fitting) <= width) last.push(field);
    else lines.push([field]);
  }
  return lines.flatMap((line) => {
    const room = Math.max(least, width - widthBeside([line]));
    return wrapLines(asLine(line.map((field) => cut(field, room))), width);
  });
}

/** The width of all fields except fitting ones, including the gaps. */
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

/** Pads texts with blanks to the same terminal width. */
function evenly(texts: readonly string[]): string[] {
  const widths = texts.map(widthOf);
  const widest = Math.max(...widths);
  return texts.map((text, at) => text + " ".repeat(widest - (widths[at] ?? 0)));
}
