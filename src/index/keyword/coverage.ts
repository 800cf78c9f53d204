import type { QueryWords } from "./query-words.ts";
import { isWholeText } from "./whole-text.ts";

/*
 * The coverage of a hit: the share of the query's words that it matches, weighted by how much each tells, 0 to 1.
 */

/**
 * From this coverage on, a hit counts as a strong match. On the evaluation sets 63 to 96 % of the right hits are strong,
 * and 9 to 26 % of the questions get a strong hit in projects that do not know the answer.
 */
const strongCoverage = 0.42;
/** From this coverage on, the query's own words suffice: no others are searched for, and vectors weigh little. */
const sufficientCoverage = 0.35;

export function isStrongCoverage(coverage: number | undefined): boolean {
  return coverage !== undefined && coverage >= strongCoverage;
}

/** Whether any hit covers enough of the query. */
export function isSufficient(hits: readonly { readonly coverage?: number | undefined }[]): boolean {
  return hits.some(({ coverage = 0 }) => coverage >= sufficientCoverage);
}

/** For a query of only plain numbers, which tell nothing, its words are weighted by their rarity. */
export function coverageOf(parts: Float64Array, { words, told }: QueryWords): number {
  const worth = told === 0 ? "weight" : "told";
  const all = told === 0 ? words.reduce((sum, { weight }) => sum + weight, 0) : told;
  let covered = 0;
  for (const [at, word] of words.entries()) if ((parts[at] ?? 0) > 0) covered += word[worth];
  return all === 0 ? 1 : covered / all;
}

/**
 * If the telling words of a question occur nowhere, the hits only share some unimportant word with it, and no hit is
 * the more honest answer. Long queries and tiny stores keep their hits: a whole text always shares little with others,
 * and in a tiny store no word tells much.
 */
const farFetched = 0.1;
const tinyCollection = 50;

export function isFarFetched(mostCovered: number, { sequence }: QueryWords, documents: number): boolean {
  if (documents < tinyCollection || isWholeText(sequence)) return false;
  return mostCovered < farFetched;
}
