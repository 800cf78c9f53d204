import { inverseDocumentFrequency, termShare } from "./bm25f.ts";
import { visitTerms } from "./forward.ts";
import type { QueryWord } from "./query-words.ts";
import type { Candidate } from "./ranked-candidates.ts";
import { stopTerms } from "./stop-terms.ts";
import { addToTally, openTally } from "./term-tally.ts";

/*
 * Pseudo-relevance feedback (after RM3): words that the best documents share, and the other candidates do not, are
 * taken as words of the query too, at a small weight. Read from the forward indexes that ranking has in its hands
 * anyway, with frequencies among the candidates; so it asks the database nothing, and its work has a bound.
 */

const bestDocuments = 20;
const leastDocuments = 5;
/** A word that fewer of the best share is chance. */
const leastSharing = 3;
const consideredTerms = 24;
const addedTerms = 16;
/** Further down nothing is raised: what the added words find there alone would not come up to the first ten. */
const rescored = 60;
/** Of the weight of the query's own words and the added ones together. */
const addedShare = 0.1;

/** What the shared words add to each candidate's score. `words` are the query's own. */
export function feedbackScores(
  candidates: readonly Candidate[],
  scores: readonly number[],
  words: readonly QueryWord[],
): Float64Array {
  const added = new Float64Array(candidates.length);
  const upper = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, rescored);
  const best = upper.slice(0, bestDocuments);
  if (best.length < leastDocuments) return added;
  const read = upper.flatMap((at) => candidates[at] ?? []);
  const asked = new Set(words.flatMap(({ forms }) => forms.map(({ hash }) => hash)));
  const terms = sharedTerms(
    best.flatMap((at) => candidates[at] ?? []),
    best.map((at) => scores[at] ?? 0),
    asked,
  );
  const weighed = terms
    .map(({ hash, weight }) => {
      const shares = new Float64Array(read.length);
      let sharing = 0;
      for (const [place, { document, saturation }] of read.entries()) {
        const share = termShare(document, hash, saturation);
        shares[place] = share;
        if (share > 0) sharing += 1;
      }
      return { shares, weight: weight * inverseDocumentFrequency(read.length, sharing) };
    })
    .sort((a, b) => b.weight - a.weight)
    .slice(0, addedTerms);
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const told = words.reduce((sum, { weight }) => sum + weight, 0);
  const mass = (told * addedShare) / (1 - addedShare);
  for (const { shares, weight } of weighed) {
    const factor = (mass * weight) / total;
    for (const [place, at] of upper.entries()) {
      added[at] = (added[at] ?? 0) + factor * (shares[place] ?? 0);
    }
  }
  return added;
}

interface SharedTerm {
  readonly hash: number;
  readonly weight: number;
}

/** Terms by how much of the best documents they are, those documents weighing as they scored. */
function sharedTerms(
  best: readonly Candidate[],
  scores: readonly number[],
  asked: ReadonlySet<number>,
): SharedTerm[] {
  const tally = openTally(best.reduce((sum, { document }) => sum + document.terms, 0));
  for (const [at, { document }] of best.entries()) {
    const length = Math.max(1, document.lengths.title + document.lengths.body);
    const perOccurrence = (scores[at] ?? 0) / length;
    visitTerms(document, (hash, occurrences) => {
      if (occurrences > 0) addToTally(tally, hash, perOccurrence * occurrences);
    });
  }
  const shared: SharedTerm[] = [];
  for (let at = 0; at < tally.size; at += 1) {
    const hash = tally.hashes[at] ?? 0;
    // A document holds a term once, so times are documents.
    if ((tally.times[at] ?? 0) < leastSharing || asked.has(hash) || stopTerms.has(hash)) continue;
    shared.push({ hash, weight: tally.weights[at] ?? 0 });
  }
  return shared.sort((a, b) => b.weight - a.weight).slice(0, consideredTerms);
}
