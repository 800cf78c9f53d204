import { countCodePoints } from "../../text/code-points.ts";
import { wholeWords } from "../../text/cut.ts";

/** How many code points of a hit's text a list of results contains. */
export const snippetLength = 300;

/** The text of a result for a reader: where a longer text was cut, between words and with `…`. */
export function readableText(narrative: string): string {
  const isCut = countCodePoints(narrative) >= snippetLength;
  return isCut ? `${wholeWords(narrative)}…` : narrative;
}
