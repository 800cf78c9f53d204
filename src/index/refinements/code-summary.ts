import type { QueryWord } from "../words/word-index.ts";
import type { Places } from "./places.ts";

/*
 * Code says how something is done, and the first sentence of its doc comment what is done. A question about code is
 * worded like that sentence. So words of the query count more in that sentence, and the more the shorter it is.
 */

/** Share of a word's weight that is added, in the limit of a very short sentence. */
const summaryShare = 0.6;
/** In characters: a sentence of this length counts half. */
const halfWorthLength = 100;

/** The beginning of a docstring, a doc comment or a line of a doc comment (`///`, captured). */
const opening = /^[ \t]*(?:[ru]{0,2}(?:"""|''')|\/\*\*|(\/\/\/))[\s*]*/im;
/** The end of the sentence, an empty line, a tag (`@param`, `:param x:`) or the end of the comment. */
const ending = /[.!?](?=\s|$)|\n[\s*/]*\n|\n[\s*/]*[@:]|"""|'''|\*\//;
const lastLine = /\n(?!\s*\/\/\/)/;

/** A part of a text, in characters from its beginning. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The first sentence of the first doc comment in a text; undefined if there is none. */
export function codeSummary(text: string): Stretch | undefined {
  const found = opening.exec(text);
  if (found === null) return undefined;
  const [comment, line] = found;
  const from = found.index + comment.length;
  const rest = text.slice(from);
  const ends = [rest.search(ending), line === undefined ? -1 : rest.search(lastLine)].filter((at) => at >= 0);
  return { from, to: from + Math.min(rest.length, ...ends) };
}

/** The score to add to a text for the words in its summary. */
export function summaryWorth({ from, to }: Stretch, words: readonly QueryWord[], places: Places): number {
  const isThere = ({ term }: QueryWord) => places.get(term)?.some((at) => at >= from && at < to) === true;
  const told = words.filter(isThere).reduce((sum, { weight }) => sum + weight, 0);
  return (summaryShare * told) / (1 + (to - from) / halfWorthLength);
}
