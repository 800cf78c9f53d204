import { type StructuredPatchHunk, structuredPatch } from "diff";

/** The changes of a text with three lines of context, as Claude Code reports them in `structuredPatch`. */
export function hunksBetween(before: string, after: string): readonly StructuredPatchHunk[] {
  return structuredPatch("", "", before, after, undefined, undefined, { context: 3 }).hunks;
}

/** The lines of a text, without an empty one after a final line break. */
export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
