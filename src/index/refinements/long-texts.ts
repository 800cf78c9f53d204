import { bestPlaces, type Candidate } from "../keyword/candidate.ts";

const longTextsRead = 8;
/** In tokens. */
const longWords = 200;
const fullShare = 0.9;

/**
 * The places of long texts whose text is read besides that of the best candidates. BM25F ranks a long text low among
 * short ones, even if one passage of it answers the query. So those are chosen whose coverage of the query is nearly
 * that of the candidate with the most. `known`: places that are read anyway.
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
