/* Lists in prose: lines with marks, below a line that introduces them. Lines are given trimmed. */

export const listMark = /^(?:[-*+•]|\d{1,3}[.)])\s+/u;
export const endsInColon = /[:：][\s*_]*$/u;
/** A line of its own that is marked as a heading or is all bold. */
export const heading = /^#{1,6}\s+(.*\S)$|^(?:\*\*|__)([^*_]+)(?:\*\*|__)$/u;

/** The lines of the list that follows a line, with their marks, and where it ends; 0 if none follows. */
export function listAfter(lines: readonly string[], at: number): { items: string[]; end: number } {
  let end = at + 1;
  while (mayBeInList(lines[end])) end += 1;
  const items = lines.slice(at + 1, end).filter((line) => line !== "");
  return { items, end: items.length === 0 ? 0 : end };
}

function mayBeInList(line: string | undefined): boolean {
  return line !== undefined && (line === "" || listMark.test(line));
}

/** The list that a line, not itself in a list, opens by a colon or as a heading. */
export function introducedList(lines: readonly string[], at: number): { items: string[]; end: number } {
  const line = lines[at] ?? "";
  const opens = endsInColon.test(line) || heading.test(line);
  return opens && !listMark.test(line) ? listAfter(lines, at) : { items: [], end: 0 };
}
