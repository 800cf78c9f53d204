import type { Explanation, Match } from "./record.ts";

/** From this coverage of the query's words on, a hit counts as a strong match. */
const strongCoverage = 0.35;
/** From this similarity on, a text says the same as the query in other words. */
const strongSimilarity = 0.6;

export function isStrongCoverage(coverage: number | undefined): boolean {
  return coverage !== undefined && coverage >= strongCoverage;
}

/** How certain it is that a hit is what was meant; undefined for lessons, whose search does not tell. */
export function matchOf(streams: Explanation["streams"], coverage: number | undefined): Match | undefined {
  if (isStrongCoverage(coverage)) return "strong";
  const { keyword, vector, graph } = streams;
  if (vector !== undefined && vector.score >= strongSimilarity) return "strong";
  return keyword === undefined && vector === undefined && graph === undefined ? undefined : "weak";
}
