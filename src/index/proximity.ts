import { indexTokens } from "../text/tokens.ts";
import { saturated } from "./bm25f.ts";
import type { QueryWord } from "./query-words.ts";

/*
 * Words that stand next to each other in the query count more where they stand close together in a text. Only the
 * texts of the best documents are looked at, and only at the places where one of the words may begin.
 */

/** Characters from one word's beginning to the other's: about eight words that are no stop words. */
const span = 60;
const share = 0.4;
const maxPairs = 24;

export interface WordPair {
  readonly first: string;
  readonly second: string;
  /** That of the less telling of the two. */
  readonly weight: number;
}

const plainWord = /^[a-z0-9]+$/;

/** Neighbouring plain words of a query that any document knows. */
export function neighbouringWords(sequence: readonly string[], words: readonly QueryWord[]): WordPair[] {
  const weights = new Map(words.map(({ term, weight }) => [term, weight]));
  const plain = sequence.filter((term) => plainWord.test(term));
  const pairs = new Map<string, WordPair>();
  for (const [at, first] of plain.entries()) {
    const second = plain[at + 1];
    if (second === undefined || first === second) continue;
    const weight = Math.min(weights.get(first) ?? 0, weights.get(second) ?? 0);
    if (weight > 0) pairs.set(`${first} ${second}`, { first, second, weight });
  }
  return [...pairs.values()].sort((a, b) => b.weight - a.weight).slice(0, maxPairs);
}

/** Gives what the closeness of the pairs adds to the score of a text. */
export function closenessTo(pairs: readonly WordPair[]): (text: string) => number {
  const terms = [...new Set(pairs.flatMap(({ first, second }) => [first, second]))];
  if (terms.length === 0) return () => 0;
  const pattern = new RegExp(terms.map((term) => `${beginningOf(term)}[a-z0-9]*`).join("|"), "gi");
  return (text) => {
    const places = new Map<string, number[]>(terms.map((term) => [term, []]));
    for (const match of text.matchAll(pattern)) {
      if (!beginsWord(text, match.index)) continue;
      for (const token of indexTokens(match[0])) places.get(token)?.push(match.index);
    }
    return pairs.reduce((sum, { first, second, weight }) => {
      const meetings = meetingsOf(places.get(first) ?? [], places.get(second) ?? []);
      return meetings === 0 ? sum : sum + share * weight * saturated(meetings);
    }, 0);
  };
}

/** What every form of a stemmed word begins with: stems end in `i` where words end in `y`. */
function beginningOf(stem: string): string {
  return stem.length > 3 ? stem.slice(0, -1) : stem;
}

/** At the beginning of a text, after what is no letter or digit, or at a hump. */
function beginsWord(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (!/[a-z0-9]/i.test(before)) return true;
  return /[a-z0-9]/.test(before) && /[A-Z]/.test(text.charAt(at));
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
