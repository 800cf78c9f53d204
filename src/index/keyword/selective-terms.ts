import type { CandidateSearch } from "../words/word-index.ts";
import type { Candidate } from "./candidate.ts";
import type { QueryWord, WordForm } from "./query-words.ts";

/** Terms find documents while together they stand in at most 2 % of the documents, but always two of them. */
const tellingShare = 0.02;
const alwaysTelling = 2;
/** In a store this small every word may find documents. */
const cheapMatches = 2_000;

/** The candidates of a search for words. Words that tell little only order what others find, unless those find too few. */
export async function findBySelectiveTerms(
  search: CandidateSearch,
  words: readonly QueryWord[],
  documents: number,
  wanted: number,
): Promise<Candidate[]> {
  const rarestFirst = words.flatMap(({ forms }) => forms).sort((a, b) => a.documents - b.documents);
  const telling = tellingTerms(rarestFirst, documents);
  const found = await search.find(telling, wanted);
  const isShort = found.length < wanted && telling.length < rarestFirst.length;
  return isShort ? search.find(rarestFirst, wanted) : found;
}

function tellingTerms(rarestFirst: readonly WordForm[], documents: number): readonly WordForm[] {
  const budget = Math.max(cheapMatches, tellingShare * documents);
  let sum = 0;
  const end = rarestFirst.findIndex((form, at) => {
    sum += form.documents;
    return sum > budget && at >= alwaysTelling;
  });
  return end < 0 ? rarestFirst : rarestFirst.slice(0, end);
}
