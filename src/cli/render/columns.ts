import truncatedWidth from "fast-string-truncated-width";
import type { Terminal } from "../terminal.ts";

/**
 * Rows of as many fields each as lines: in even columns for people, and two blanks apart for programs. Where the terminal
 * is too narrow for them the last field stands below the others.
 */
export function inColumns(
  rows: readonly (readonly string[])[],
  { isForPeople, columns }: Pick<Terminal, "isForPeople" | "columns">,
): string[] {
  if (!isForPeople) return rows.map(asLine);
  const lines = evenLines(rows);
  if (lines.every((line) => widthOf(line) <= columns)) return lines;
  const beginnings = evenLines(rows.map((row) => row.slice(0, -1)));
  return rows.flatMap((row, at) => {
    const last = row.at(-1) ?? "";
    return [beginnings[at] ?? "", ...(last === "" ? [] : [`  ${last}`])];
  });
}

function evenLines(rows: readonly (readonly string[])[]): string[] {
  const columns = (rows[0] ?? []).map((_, column) => evenly(rows.map((row) => row[column] ?? "")));
  return rows.map((_, row) => asLine(columns.map((fields) => fields[row] ?? "")));
}

function asLine(fields: readonly string[]): string {
  return fields.join("  ").trimEnd();
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
