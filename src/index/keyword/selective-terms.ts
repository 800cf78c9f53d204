import type { CandidateSearch, QueryWord, WordForm } from "../words/word-index.ts";
import type { Candidate } from "./candidate.ts";

/** The rarest terms that together match at most 2 % of the documents are selective, and always the two rarest. */
const tellingShare = 0.02;
const alwaysTelling = 2;
/** This many matches are allowed in any store, so in a small one every term may be selective. */
const cheapMatches = 2_000;

/** The candidates for words: documents with any selective term, or with any term if the selective ones find too few. */
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
