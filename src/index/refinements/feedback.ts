import { inverseDocumentFrequency, termShare } from "../keyword/bm25f.ts";
import { bestPlaces, type Candidate, takenFrom } from "../keyword/candidate.ts";
import type { QueryWord } from "../keyword/query-words.ts";
import { emptyForward, type ForwardIndex, hashAt, occurrencesAt } from "../words/forward.ts";
import { stopTerms } from "../words/stop-terms.ts";
import { addToTally, openTally } from "../words/term-tally.ts";
import type { CandidateSearch } from "../words/word-index.ts";

/*
 * Pseudo-relevance feedback (after RM3): words that the best documents share, and the other candidates do not, are
 * taken as words of the query too, at a small weight. Read from the forward indexes that ranking has in its hands
 * anyway, with frequencies among the candidates; so it asks the database nothing, and its work has a bound.
 */

const bestDocuments = 20;
/** Of fewer the best are most, and share what all of them do. */
const leastDocuments = 2 * bestDocuments;
/** A word that fewer of the best share is chance. */
const leastSharing = 3;
const consideredTerms = 24;
const addedTerms = 16;
/** Further down nothing is raised: what the added words find there alone would not come up to the first ten. */
const rescored = 60;
/** Of the weight of the query's own words and the added ones together. */
const addedShare = 0.1;

/** What the shared words add to each candidate's score. `words` are the query's own. */
export async function feedbackScores(
  candidates: readonly Candidate[],
  scores: Float64Array,
  words: readonly QueryWord[],
  search: Pick<CandidateSearch, "open">,
): Promise<Float64Array> {
  const added = new Float64Array(candidates.length);
  const upper = bestPlaces(scores, rescored);
  if (upper.length < leastDocuments) return added;
  const read = takenFrom(candidates, upper);
  const documents = await search.open(read);
  const weights = new Float64Array(Math.min(bestDocuments, upper.length));
  for (let place = 0; place < weights.length; place += 1) weights[place] = scores[upper[place] ?? 0] ?? 0;
  const told = words.reduce((sum, { weight }) => sum + weight, 0);
  const mass = (told * addedShare) / (1 - addedShare);
  const weighed = weighedAmong(sharedTerms(documents, weights, words), read, documents);
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  for (const { shares, weight } of weighed) {
    const factor = (mass * weight) / total;
    for (let place = 0; place < upper.length; place += 1) {
      const at = upper[place] ?? 0;
      added[at] = (added[at] ?? 0) + factor * (shares[place] ?? 0);
    }
  }
  return added;
}

interface SharedTerm {
  readonly hash: number;
  readonly weight: number;
}

interface WeighedTerm {
  readonly weight: number;
  /** What it is in each document that was read. */
  readonly shares: Float64Array;
}

/** Those of the terms that tell most among all that were read. */
function weighedAmong(
  terms: readonly SharedTerm[],
  candidates: readonly Candidate[],
  documents: readonly ForwardIndex[],
): WeighedTerm[] {
  const weighed: WeighedTerm[] = [];
  for (const { hash, weight } of terms) {
    const shares = new Float64Array(documents.length);
    let sharing = 0;
    for (const [place, document] of documents.entries()) {
      const share = termShare(document, hash, candidates[place]?.saturation ?? 1);
      shares[place] = share;
      if (share > 0) sharing += 1;
    }
    weighed.push({ shares, weight: weight * inverseDocumentFrequency(documents.length, sharing) });
  }
  return weighed.sort(byWeight).slice(0, addedTerms);
}

/** Terms by how much of the first documents they are, each document weighing as it scored. */
function sharedTerms(
  documents: readonly ForwardIndex[],
  weights: Float64Array,
  words: readonly QueryWord[],
): SharedTerm[] {
  let occurrences = 0;
  for (let place = 0; place < weights.length; place += 1) occurrences += documents[place]?.terms ?? 0;
  const tally = openTally(occurrences);
  for (const [place, weight] of weights.entries()) {
    const document = documents[place] ?? emptyForward;
    const perOccurrence = weight / Math.max(1, document.lengths.title + document.lengths.body);
    for (let at = 0; at < document.terms; at += 1) {
      const times = occurrencesAt(document, at);
      if (times > 0) addToTally(tally, hashAt(document, at), perOccurrence * times);
    }
  }
  const asked = new Set(words.flatMap(({ forms }) => forms.map(({ hash }) => hash)));
  const shared: SharedTerm[] = [];
  for (let at = 0; at < tally.size; at += 1) {
    const hash = tally.hashes[at] ?? 0;
    // A document holds a term once, so times are documents.
    if ((tally.times[at] ?? 0) < leastSharing || asked.has(hash) || stopTerms.has(hash)) continue;
    shared.push({ hash, weight: tally.weights[at] ?? 0 });
  }
  return shared.sort(byWeight).slice(0, consideredTerms);
}

function byWeight(a: { readonly weight: number }, b: { readonly weight: number }): number {
  return b.weight - a.weight;
}
