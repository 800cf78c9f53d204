import { lowerCase } from "./lower-case.ts";
import { bigrams, eastAsianScripts, onlyAscii } from "./scripts.ts";

const shortestToken = 3;
// A combining mark belongs to the letter before it: vowel signs of Hindi, points of Hebrew and Arabic.
const spaced = `(?![${eastAsianScripts}])[\\p{L}\\p{N}_]\\p{M}*`;
const runs = new RegExp(`[${eastAsianScripts}]+|(?:${spaced})+`, "gu");
const asciiTokens = new RegExp(`[a-z0-9_]{${shortestToken},}`, "g");
const startsEastAsian = new RegExp(`^[${eastAsianScripts}]`, "u");

/**
 * Similarity of two texts from 0 to 1, by which near-duplicates are found. Texts without tokens count as similar only
 * if they are equal, ignoring case and surrounding blanks.
 */
export function contentSimilarity(a: string, b: string): number {
  return similarityTo(a)(b);
}

/** contentSimilarity for one text against many: its tokens are computed once. */
export function similarityTo(a: string): (b: string) => number {
  const left = tokenSet(a);
  return (b) => {
    const right = tokenSet(b);
    if (left.size > 0 && right.size > 0) return jaccard(left, right);
    return a.trim().toLowerCase() === b.trim().toLowerCase() ? 1 : 0;
  };
}

/** The words of a text with at least three characters, and pairs of characters for Chinese, Japanese and Korean. */
export function tokenSet(content: string): Set<string> {
  if (onlyAscii.test(content)) return new Set(content.toLowerCase().match(asciiTokens));
  const tokens = new Set<string>();
  for (const run of lowerCase(content.normalize("NFKC")).match(runs) ?? []) {
    if (startsEastAsian.test(run)) for (const pair of bigrams(run)) tokens.add(pair);
    else if (hasCharacters(run, shortestToken)) tokens.add(run);
  }
  return tokens;
}

/** Size of the intersection divided by that of the union; 1 for two empty sets. */
export function jaccard<Item>(a: ReadonlySet<Item>, b: ReadonlySet<Item>): number {
  const [smaller, larger] = a.size <= b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const token of smaller) if (larger.has(token)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 1 : shared / all;
}

/** Avoids counting where it can, as a character has one or two code units. */
function hasCharacters(run: string, count: number): boolean {
  return run.length >= 2 * count || (run.length >= count && Array.from(run).length >= count);
}
