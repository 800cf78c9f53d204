import { bestPlaces, type Candidate } from "../keyword/candidate.ts";

const longTextsRead = 8;
/** Tokens. */
const longWords = 200;
const fullShare = 0.9;

/**
 * Where the long texts stand that are read closely besides the best. Among short texts a long one counts for little,
 * whatever one passage of it says; so these are such as have nearly as much of the query as any text has.
 */
export function longTexts(
  candidates: readonly Candidate[],
  scores: Float64Array,
  { coverages, mostCovered }: { readonly coverages: Float64Array; readonly mostCovered: number },
  known: ReadonlySet<number>,
): number[] {
  const ofLong = scores.map((score, at) => {
    const isLong = (candidates[at]?.words ?? 0) >= longWords;
    const isTelling = (coverages[at] ?? 0) >= fullShare * mostCovered;
    return isLong && isTelling && !known.has(at) ? score : 0;
  });
  return [...bestPlaces(ofLong, longTextsRead)].filter((at) => (ofLong[at] ?? 0) > 0);
}
