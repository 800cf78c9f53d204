import { inverseDocumentFrequency, termShare } from "../keyword/bm25f.ts";
import { bestPlaces, type Candidate, itemsAt } from "../keyword/candidate.ts";
import { emptyForward, type ForwardIndex, hashAt, occurrencesAt } from "../words/forward.ts";
import { stopTerms } from "../words/stop-terms.ts";
import { addToTally, openTally } from "../words/term-tally.ts";
import type { CandidateSearch, QueryWord } from "../words/word-index.ts";

/*
 * Pseudo-relevance feedback (after RM3): words that the best documents share, and the other candidates do not, are
 * added to the query at a small weight. They are taken from the forward indexes of the best candidates, and weighted by
 * their frequency among these; so the amount of work is bounded, and no statistics of the collection are read.
 */

const bestDocuments = 20;
/** With fewer candidates the best ones are most of them, and share only what all share. */
const leastDocuments = 2 * bestDocuments;
/** A word shared by fewer of the best is a coincidence. */
const leastSharing = 3;
const consideredTerms = 24;
const addedTerms = 16;
/** Only this many candidates are scored again: the added words would not raise others into the first ten. */
const rescored = 60;
/** The share of the added words in the weight of the query's own and the added words together. */
const addedShare = 0.1;

/** The scores that the added words contribute, by candidate. `words`: the query's own words. */
export async function feedbackScores(
  candidates: readonly Candidate[],
  scores: Float64Array,
  words: readonly QueryWord[],
  search: Pick<CandidateSearch, "open">,
): Promise<Float64Array> {
  const added = new Float64Array(candidates.length);
  const upper = bestPlaces(scores, rescored);
  if (upper.length < leastDocuments) return added;
  const read = itemsAt(candidates, upper);
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
  /** BM25F of the term in each document that was read, before weighting. */
  readonly shares: Float64Array;
}

/** The heaviest of the terms, weighted by their inverse document frequency among the documents that were read. */
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

/** The terms that several of the best documents share, by their share of the words there, weighted by the scores. */
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
    // Each document adds a term at most once, so `times` is the number of documents.
    if ((tally.times[at] ?? 0) < leastSharing || asked.has(hash) || stopTerms.has(hash)) continue;
    shared.push({ hash, weight: tally.weights[at] ?? 0 });
  }
  return shared.sort(byWeight).slice(0, consideredTerms);
}

function byWeight(a: { readonly weight: number }, b: { readonly weight: number }): number {
  return b.weight - a.weight;
}
