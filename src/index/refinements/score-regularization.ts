import { inverseDocumentFrequency } from "../keyword/bm25f.ts";
import { bestPlaces, type Candidate, itemsAt } from "../keyword/candidate.ts";
import { type ForwardIndex, hashAt } from "../words/forward.ts";
import { stopTerms } from "../words/stop-terms.ts";
import { addToTally, openTally, type TermTally } from "../words/term-tally.ts";
import type { CandidateSearch } from "../words/word-index.ts";

/*
 * Documents that answer a question are similar (the cluster hypothesis; after score regularisation, Diaz 2005). So a
 * part of a document's score is the mean score of the most similar documents among the best: a document among other
 * relevant ones rises, one that shares only the query's words with them falls. Shared words are weighted by their
 * inverse document frequency among the best, since words that all of them contain make no two similar. Only forward
 * indexes are read.
 */

/** How many of the best documents are compared. */
const compared = 60;
/** Among fewer documents similarity is a coincidence. */
const leastCompared = 10;
const nearest = 10;
/** Words in more than a third of the best are ignored: they make no two similar, and cost most time. */
const commonShare = 1 / 3;
const alikeShare = 0.3;

/** The regularised scores, in the order of the candidates. */
export async function regularizeScores(
  candidates: readonly Candidate[],
  scores: Float64Array,
  search: Pick<CandidateSearch, "open">,
): Promise<Float64Array> {
  const best = bestPlaces(scores, compared);
  if (best.length < leastCompared) return scores;
  const likeness = likenessAmong(await search.open(itemsAt(candidates, best)));
  const judged = new Float64Array(scores.length);
  for (let at = 0; at < scores.length; at += 1) judged[at] = (1 - alikeShare) * (scores[at] ?? 0);
  const theirs = new Float64Array(best.length);
  for (let place = 0; place < best.length; place += 1) theirs[place] = scores[best[place] ?? 0] ?? 0;
  for (let place = 0; place < best.length; place += 1) {
    const row = likeness.subarray(place * best.length, (place + 1) * best.length);
    const at = best[place] ?? 0;
    judged[at] = (judged[at] ?? 0) + alikeShare * meanOfNearest(row, theirs);
  }
  return judged;
}

/** The mean score of the most similar documents, weighted by similarity; 0 if there are none. */
function meanOfNearest(likeness: Float64Array, scores: Float64Array): number {
  const least = likeness[bestPlaces(likeness, nearest).at(-1) ?? 0] ?? 0;
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

/**
 * The similarity of each two documents, row by row: the cosine of their sets of words, weighted by inverse document
 * frequency; 0 for a document with itself.
 */
function likenessAmong(documents: readonly ForwardIndex[]): Float64Array {
  const size = documents.length;
  const likeness = new Float64Array(size * size);
  const squares = new Float64Array(size);
  const { terms, ends, places } = placesOfTerms(documents);
  let from = 0;
  for (let term = 0; term < terms.size; term += 1) {
    const start = from;
    const end = ends[term] ?? 0;
    from = end;
    if (stopTerms.has(terms.hashes[term] ?? 0)) continue;
    const square = inverseDocumentFrequency(size, end - start) ** 2;
    for (let one = start; one < end; one += 1) {
      const place = places[one] ?? 0;
      squares[place] = (squares[place] ?? 0) + square;
    }
    if (end - start > size * commonShare) continue;
    for (let one = start; one < end; one += 1) {
      const row = (places[one] ?? 0) * size;
      for (let other = start; other < one; other += 1) {
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

/**
 * An inverted index of the compared documents: `places` contains for each term, in the order of the tally, the places
 * of the documents with it, ascending; `ends` says where the part of each term ends.
 */
interface TermPlaces {
  readonly terms: TermTally;
  readonly ends: Uint32Array;
  readonly places: Uint8Array;
}

function placesOfTerms(documents: readonly ForwardIndex[]): TermPlaces {
  let occurrences = 0;
  for (const { terms } of documents) occurrences += terms;
  const terms = openTally(occurrences);
  const termOf = new Uint32Array(occurrences);
  let read = 0;
  for (const document of documents) {
    for (let at = 0; at < document.terms; at += 1)
      termOf[read++] = addToTally(terms, hashAt(document, at), 1);
  }
  const ends = new Uint32Array(terms.size);
  for (let term = 1; term < terms.size; term += 1)
    ends[term] = (ends[term - 1] ?? 0) + (terms.times[term - 1] ?? 0);
  const places = new Uint8Array(occurrences);
  read = 0;
  for (const [place, document] of documents.entries()) {
    for (let at = 0; at < document.terms; at += 1) {
      const term = termOf[read++] ?? 0;
      const end = ends[term] ?? 0;
      places[end] = place;
      ends[term] = end + 1;
    }
  }
  return { terms, ends, places };
}
