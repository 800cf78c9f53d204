import { countCodePoints } from "../../text/code-points.ts";
import { wholeWords } from "../../text/cut.ts";

/** How many code points of a hit's text a list of results contains. */
export const snippetLength = 300;

/** Whether a hit's text, of which at most `snippetLength` code points are shown, is only a beginning. */
export function isCut(snippet: string): boolean {
  return countCodePoints(snippet) >= snippetLength;
}

/** The text of a result for a reader: where a longer text was cut, between words and with `…`. */
export function readableText(narrative: string): string {
  return isCut(narrative) ? `${wholeWords(narrative)}…` : narrative;
}
