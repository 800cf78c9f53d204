import { isObject } from "../../../json/is-object.ts";
import { type Fields, textOf } from "../transcript-line.ts";

/** The blocks of a list; empty for anything else. */
export function blocksOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts of a list of blocks `{text}`, one below the other; a plain text as it is. */
export function textOfBlocks(value: unknown): string {
  if (!Array.isArray(value)) return textOf(value);
  const texts = blocksOf(value).map(({ text }) => textOf(text));
  return texts.filter((text) => text !== "").join("\n");
}
