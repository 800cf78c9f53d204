import { otherForms } from "../../text/abbreviations.ts";
import { indexTokens } from "../../text/tokens.ts";
import type { WordIndex } from "../words/word-index.ts";

/*
 * For words of a query that occur in no document, but may occur as two words (`ratelimit` as `rate limit`, `postgres16`
 * as `postgres 16`, `python3.9` as `Python 3.9`) or joined with a neighbour (`mono repo` as `monorepo`).
 */

const shortestHalf = 3;
const longestApart = 20;
const numbered = /^([a-z]{2,})(\d{2,}|\d+(?:\.\d+)+)$/;

/**
 * The index tokens of both halves, by the token of the word, for each word that consists of two known words. If there
 * are several ways to split it, the one whose rarer half is in the most documents.
 */
export async function splitCompounds(
  index: WordIndex,
  words: readonly { readonly word: string; readonly token: string }[],
  documents: number,
): Promise<Map<string, readonly string[]>> {
  const splits = words.flatMap(({ word, token }) => waysApart(word).map((halves) => ({ token, halves })));
  if (splits.length === 0) return new Map();
  const terms = new Set(splits.flatMap(({ halves }) => halves).flatMap(formsOf));
  const known = await index.frequencies([...terms], documents);
  const documentsOf = (half: string) => Math.max(...formsOf(half).map((form) => known.get(form) ?? 0));
  const found = new Map<string, readonly string[]>();
  const usual = new Map<string, number>();
  for (const { token, halves } of splits) {
    const ofRarer = Math.min(...halves.map(documentsOf));
    if (ofRarer <= (usual.get(token) ?? 0)) continue;
    usual.set(token, ofRarer);
    found.set(token, halves);
  }
  return found;
}

function formsOf(half: string): string[] {
  return [half, ...otherForms(half)];
}

function waysApart(word: string): string[][] {
  const pairs: string[][] = [];
  const [, letters, digits] = numbered.exec(word) ?? [];
  if (letters !== undefined && digits !== undefined) pairs.push([letters, digits]);
  if (/^[a-z]+$/.test(word) && word.length <= longestApart) {
    for (let at = shortestHalf; at <= word.length - shortestHalf; at += 1)
      pairs.push([word.slice(0, at), word.slice(at)]);
  }
  // Of a number with dots its first token, which is the whole.
  return pairs
    .map((pair) => pair.flatMap((half) => indexTokens(half).slice(0, 1)))
    .filter((halves) => halves.length === 2);
}

/** Index tokens of a word joined with the word before it, and with the word after it. */
export function joinWithNeighbours(word: string, [before, after]: readonly (string | undefined)[]): string[] {
  return [
    ...(before === undefined ? [] : indexTokens(before + word)),
    ...(after === undefined ? [] : indexTokens(word + after)),
  ];
}
