import type { QueryWord } from "../keyword/query-words.ts";
import type { Places } from "./places.ts";

/*
 * Code says in its own words how something is done, and in the first sentence of its comment what is done: as a
 * question does that is asked about it. So words of the query count more where they stand in that sentence, and the
 * more the shorter it is.
 */

/** What the words of a sentence of no length are worth. */
const summaryShare = 0.6;
/** Characters: a sentence of so many is worth half as much. */
const halfWorthLength = 100;

/** Docstrings, blocks of documentation, and lines of it. */
const opening = /^[ \t]*(?:[ru]{0,2}(?:"""|''')|\/\*\*|(\/\/\/))[\s*]*/im;
/** The sentence is over, or there is an empty line, a tag (`@param`, `:param x:`) or the end of the comment. */
const ending = /[.!?](?=\s|$)|\n[\s*/]*\n|\n[\s*/]*[@:]|"""|'''|\*\//;
const lastLine = /\n(?!\s*\/\/\/)/;

/** Where a text has something, in characters from its beginning. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The first sentence of the first comment in a text that documents code; undefined where there is none. */
export function codeSummary(text: string): Stretch | undefined {
  const found = opening.exec(text);
  if (found === null) return undefined;
  const [comment, line] = found;
  const from = found.index + comment.length;
  const rest = text.slice(from);
  const ends = [rest.search(ending), line === undefined ? -1 : rest.search(lastLine)].filter((at) => at >= 0);
  return { from, to: from + Math.min(rest.length, ...ends) };
}

/** What the words that stand in a summary add to the score of its text. */
export function summaryWorth({ from, to }: Stretch, words: readonly QueryWord[], places: Places): number {
  const isThere = ({ term }: QueryWord) => places.get(term)?.some((at) => at >= from && at < to) === true;
  const told = words.filter(isThere).reduce((sum, { weight }) => sum + weight, 0);
  return (summaryShare * told) / (1 + (to - from) / halfWorthLength);
}
