import type { Explanation, Match } from "./record.ts";

/** From so much of what the query's words tell, a hit is taken for what was meant. */
const strongCoverage = 0.35;

/** How sure it is that a hit is what was meant. */
export function matchOf(_streams: Explanation["streams"], coverage: number | undefined): Match {
  return coverage !== undefined && coverage >= strongCoverage ? "strong" : "weak";
}
