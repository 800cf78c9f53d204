import { firstLine } from "../../text/first-line.ts";

/** In characters: of a content so much is read. */
export const openingLength = 400;

/** A title; where it is the cut beginning of the content, more of the same line. */
export function fullTitle(title: string, opening: string): string {
  const line = firstLine(opening, openingLength);
  return line.startsWith(title) ? line : title;
}
