import type { WordForm } from "./query-words.ts";
import type { WordQuestion } from "./word-index.ts";

/** Terms find documents while together they stand in at most 2 % of the documents, but always two of them. */
const tellingShare = 0.02;
const alwaysTelling = 2;
/** In a store this small every word may find documents. */
const cheapMatches = 2_000;

export interface FindingTerms {
  readonly rarestFirst: readonly WordForm[];
  /** The first of them: those that find documents, unless they find too few. The others only order them. */
  readonly telling: readonly WordForm[];
}

export function findingTerms({ words, documents, findBy }: WordQuestion): FindingTerms {
  const rarestFirst = words.flatMap(({ forms }) => forms).sort((a, b) => a.documents - b.documents);
  return { rarestFirst, telling: tellingTerms(rarestFirst, documents, findBy) };
}

function tellingTerms(
  rarestFirst: readonly WordForm[],
  documents: number,
  findBy: number | undefined,
): readonly WordForm[] {
  if (findBy !== undefined) return rarestFirst.slice(0, findBy);
  const budget = Math.max(cheapMatches, tellingShare * documents);
  let sum = 0;
  const end = rarestFirst.findIndex((form, at) => {
    sum += form.documents;
    return sum > budget && at >= alwaysTelling;
  });
  return end < 0 ? rarestFirst : rarestFirst.slice(0, end);
}
