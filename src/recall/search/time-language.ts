import type { RangeWords } from "./time-ranges.ts";
import type { Phrase } from "./time-spans.ts";

/** How a language tells times. Patterns are for texts in lower case. */
export interface TimeLanguage {
  /** Found in every query with one of the phrases, and hardly in English ones. */
  readonly signs: RegExp;
  /** Tried before the phrases. */
  readonly ranges: RangeWords;
  /** The first that matches counts. */
  readonly phrases: readonly Phrase[];
  /** Words that, beside such a time, only ask what happened. */
  readonly sayNothing: RegExp;
  /** Ends before a time; its groups are `since`, `after` and `before`. */
  readonly directionBefore?: RegExp;
  /** Begins behind a time; with the same groups. */
  readonly directionAfter?: RegExp;
}

/** Patterns of phrases that are no part of a longer word, nor of a name such as `hier.ts`. */
export function aloneAmong(letter: string): (phrase: string) => RegExp {
  return (phrase) =>
    new RegExp(`(?<![${letter}/\\\\-]|[${letter}]\\.)(?:${phrase})(?![${letter}(/\\\\-]|\\.[${letter}])`);
}

/** The number that a word names, from one on: its place among the lists of its spellings. */
export function spelledNumber(word: string, spellings: readonly string[]): number {
  const place = spellings.findIndex((spelling) => spelling.split("|").includes(word));
  return place < 0 ? Number(word) : place + 1;
}
