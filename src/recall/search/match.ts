import { isStrongCoverage } from "../../index/keyword/coverage.ts";
import type { Explanation, Match } from "./record.ts";

/** From this similarity on, a text says the same as the query in other words. */
const strongSimilarity = 0.6;

/** How certain it is that a hit is what was meant; undefined for lessons, whose search does not tell. */
export function matchOf(streams: Explanation["streams"], coverage: number | undefined): Match | undefined {
  if (isStrongCoverage(coverage)) return "strong";
  const { keyword, vector, graph } = streams;
  if (vector !== undefined && vector.score >= strongSimilarity) return "strong";
  return keyword === undefined && vector === undefined && graph === undefined ? undefined : "weak";
}
