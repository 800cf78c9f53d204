import { inverseDocumentFrequency } from "./bm25f.ts";
import { visitTerms } from "./forward.ts";
import type { Candidate } from "./ranked-candidates.ts";
import { stopTerms } from "./stop-terms.ts";
import { addToTally, openTally } from "./term-tally.ts";

/*
 * Documents that answer a question are alike (the cluster hypothesis; after score regularisation, Diaz 2005). So a
 * document is judged a little by those among the best that share most of its words: one among others that fit rises,
 * one that shares only the query's words with them falls behind. How much a shared word tells is counted among the
 * best themselves, since what they all have makes no two of them alike; read from their forward indexes alone.
 */

/** Sharing counts among so many of the best, whose place it may change. */
const compared = 60;
/** Among fewer it is chance. */
const leastCompared = 10;
const nearest = 10;
/** Words of more than a third of the best make nobody alike, and cost most. */
const commonShare = 1 / 3;
const alikeShare = 0.3;

/** Scores again, in the order of the candidates; all on one scale. */
export function scoredByTheirLike(candidates: readonly Candidate[], scores: readonly number[]): number[] {
  const best = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, compared);
  if (best.length < leastCompared) return [...scores];
  const likeness = likenessAmong(best.flatMap((at) => candidates[at] ?? []));
  const theirs = Float64Array.from(best, (at) => scores[at] ?? 0);
  const judged = scores.map((score) => (1 - alikeShare) * score);
  for (const [place, at] of best.entries()) {
    const row = likeness.subarray(place * best.length, (place + 1) * best.length);
    judged[at] = (judged[at] ?? 0) + alikeShare * meanOfNearest(row, theirs);
  }
  return judged;
}

/** 0 of none. */
function meanOfNearest(likeness: Float64Array, scores: Float64Array): number {
  const least = likeness.toSorted().at(-nearest) ?? 0;
  let total = 0;
  let sum = 0;
  for (let other = 0; other < likeness.length; other++) {
    const like = likeness[other] ?? 0;
    if (like < least) continue;
    total += like;
    sum += like * (scores[other] ?? 0);
  }
  return total > 0 ? sum / total : 0;
}

/** Row by row, the cosine of which words stand in two documents, each weighing what it tells; 0 with itself. */
function likenessAmong(documents: readonly Candidate[]): Float64Array {
  const size = documents.length;
  const likeness = new Float64Array(size * size);
  const squares = new Float64Array(size);
  for (const places of placesOfTerms(documents)) {
    const square = inverseDocumentFrequency(size, places.length) ** 2;
    for (const place of places) squares[place] = (squares[place] ?? 0) + square;
    if (places.length > size * commonShare) continue;
    for (let one = 1; one < places.length; one++) {
      const row = (places[one] ?? 0) * size;
      for (let other = 0; other < one; other++) {
        const at = row + (places[other] ?? 0);
        likeness[at] = (likeness[at] ?? 0) + square;
      }
    }
  }
  for (let one = 1; one < size; one++) {
    for (let other = 0; other < one; other++) {
      const shared = likeness[one * size + other] ?? 0;
      if (shared === 0) continue;
      const like = shared / Math.sqrt((squares[one] ?? 0) * (squares[other] ?? 0));
      likeness[one * size + other] = like;
      likeness[other * size + one] = like;
    }
  }
  return likeness;
}

/** For each term but stop words, which of the documents have it, ascending. */
function placesOfTerms(documents: readonly Candidate[]): number[][] {
  const tally = openTally(documents.reduce((sum, { document }) => sum + document.terms, 0));
  const places: number[][] = [];
  for (const [place, { document }] of documents.entries()) {
    visitTerms(document, (hash) => {
      const term = addToTally(tally, hash, 1);
      const known = places[term];
      if (known === undefined) places.push([place]);
      else known.push(place);
    });
  }
  return places.filter((_, term) => !stopTerms.has(tally.hashes[term] ?? 0));
}
