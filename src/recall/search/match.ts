import type { Explanation, Match } from "./record.ts";

/** From so much of what the query's words tell, a hit is taken for what was meant. */
const strongCoverage = 0.35;
/** So like the query is what says the same in other words. */
const strongSimilarity = 0.6;

export function isStrongCoverage(coverage: number | undefined): boolean {
  return coverage !== undefined && coverage >= strongCoverage;
}

/** How sure it is that a hit is what was meant; lessons, whose search does not say, have no such tier. */
export function matchOf(streams: Explanation["streams"], coverage: number | undefined): Match | undefined {
  if (isStrongCoverage(coverage)) return "strong";
  const { keyword, vector, graph } = streams;
  if (vector !== undefined && vector.score >= strongSimilarity) return "strong";
  return keyword === undefined && vector === undefined && graph === undefined ? undefined : "weak";
}
