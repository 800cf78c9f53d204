import { saturated } from "../keyword/bm25f.ts";
import type { QueryWord } from "../keyword/query-words.ts";
import { isPlainWord, type Places } from "./places.ts";

/*
 * Words that stand next to each other in the query count more where they stand close together in a text. Only the
 * texts of the best documents are looked at.
 */

/** Characters from one word's beginning to the other's: about eight words that are no stop words. */
const span = 60;
const share = 0.4;
const maxPairs = 24;

interface WordPair {
  readonly first: string;
  readonly second: string;
  /** That of the less telling of the two. */
  readonly weight: number;
}

/** Neighbouring plain words of a query that any document knows. */
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

/** What the closeness of the pairs adds to the score of a text. */
export function closenessOf(pairs: readonly WordPair[], places: Places): number {
  return pairs.reduce((sum, { first, second, weight }) => {
    const meetings = meetingsOf(places.get(first) ?? [], places.get(second) ?? []);
    return meetings === 0 ? sum : sum + share * weight * saturated(meetings);
  }, 0);
}

/** How often one of the two comes close behind the other. */
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
