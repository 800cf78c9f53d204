import type { SqlValue } from "../../store/sql.ts";
import type { Compressed } from "./rules/compress.ts";

/** The columns of the compressed form, in the order of `compressedValues`. */
export const compressedColumns = [
  "type",
  "title",
  "subtitle",
  "facts",
  "narrative",
  "concepts",
  "files",
  "importance",
  "confidence",
] as const;

export function compressedValues(compressed: Compressed): SqlValue[] {
  return [
    compressed.type,
    compressed.title,
    compressed.subtitle ?? null,
    JSON.stringify(compressed.facts),
    compressed.narrative,
    JSON.stringify(compressed.concepts),
    JSON.stringify(compressed.files),
    compressed.importance,
    compressed.confidence,
  ];
}
