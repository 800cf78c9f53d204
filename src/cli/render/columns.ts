import truncatedWidth from "fast-string-truncated-width";
import type { Terminal } from "../terminal.ts";

/** Rows of as many fields each as lines: in even columns for people, and two blanks apart for programs. */
export function inColumns(
  rows: readonly (readonly string[])[],
  { isForPeople }: Pick<Terminal, "isForPeople">,
): string[] {
  if (!isForPeople) return rows.map(asLine);
  const columns = (rows[0] ?? []).map((_, column) => evenly(rows.map((row) => row[column] ?? "")));
  return rows.map((_, row) => asLine(columns.map((fields) => fields[row] ?? "")));
}

function asLine(fields: readonly string[]): string {
  return fields.join("  ").trimEnd();
}

/** Texts filled up with blanks to one width, as terminals count it. */
function evenly(texts: readonly string[]): string[] {
  const widths = texts.map((text) => truncatedWidth(text).width);
  const widest = Math.max(...widths);
  return texts.map((text, at) => text + " ".repeat(widest - (widths[at] ?? 0)));
}
