import { firstLine } from "../../../text/first-line.ts";

/** How many characters of a content are read for its title. */
export const openingLength = 400;

/** The title; if it is the cut beginning of the content, more of the same line. */
export function fullTitle(title: string, opening: string): string {
  const line = firstLine(opening, openingLength);
  return line.startsWith(title) ? line : title;
}
