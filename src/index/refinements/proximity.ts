import { saturated } from "../keyword/bm25f.ts";
import type { QueryWord } from "../words/word-index.ts";
import { isPlainWord, type Places } from "./places.ts";

/*
 * Proximity: neighbouring words of the query count more if they are close together in a text. Only the texts of the
 * best documents are read for this.
 */

/** In characters, from the beginning of one word to that of the other: about eight words without stop words. */
const span = 60;
const share = 0.4;
const maxPairs = 24;

interface WordPair {
  readonly first: string;
  readonly second: string;
  /** The weight of the lighter of the two words. */
  readonly weight: number;
}

/** Pairs of neighbouring plain words of a query that occur in the collection, the heaviest first. */
export function neighbouringWords(sequence: readonly string[], words: readonly QueryWord[]): WordPair[] {
  const weights = new Map(words.map(({ term, weight }) => [term, weight]));
  const plain = sequence.filter(isPlainWord);
  const pairs = new Map<string, WordPair>();
  for (const [at, first] of plain.entries()) {
    const second = plain[at + 1];
    if (second === undefined || first === second) continue;
    const weight = Math.min(weights.get(first) ?? 0, weights.get(second) ?? 0);
    if (weight > 0) pairs.set(`${first} ${second}`, { first, second, weight });
  }
  return [...pairs.values()].sort((a, b) => b.weight - a.weight).slice(0, maxPairs);
}

/** The score to add to a text for pairs whose words are close together in it. */
export function closenessOf(pairs: readonly WordPair[], places: Places): number {
  return pairs.reduce((sum, { first, second, weight }) => {
    const meetings = meetingsOf(places.get(first) ?? [], places.get(second) ?? []);
    return meetings === 0 ? sum : sum + share * weight * saturated(meetings);
  }, 0);
}

/** How often one of two words follows the other within `span`. */
function meetingsOf(first: readonly number[], second: readonly number[]): number {
  let meetings = 0;
  for (let a = 0, b = 0, lastA = -Infinity, lastB = -Infinity; a < first.length || b < second.length; ) {
    const nextA = first[a] ?? Infinity;
    const nextB = second[b] ?? Infinity;
    if (nextA <= nextB) {
      if (nextA - lastB <= span) meetings += 1;
      lastA = nextA;
      a += 1;
    } else {
      if (nextB - lastA <= span) meetings += 1;
      lastB = nextB;
      b += 1;
    }
  }
  return meetings;
}
