import { languageNames } from "../../text/language-names.ts";
import { isPair } from "../../text/tokens.ts";
import { termHash } from "../words/forward.ts";
import type { QueryWord, WordForm, WordIndex } from "../words/word-index.ts";
import { readAskedWords } from "./asked-words.ts";
import { inverseDocumentFrequency } from "./bm25f.ts";
import { countersOf } from "./counts.ts";
import { readMistyped } from "./mistyped-words.ts";
import { readNumberedNames } from "./numbered-names.ts";
import { readRelatedWords } from "./related-words.ts";

export interface QueryWords {
  /** The words that occur in any document, the heaviest first. */
  readonly words: readonly QueryWord[];
  /** The sum of `told` of all words of the query, including those in no document; plain numbers count nothing. */
  readonly told: number;
  /** Index tokens in the order of the query, with repetitions. */
  readonly sequence: readonly string[];
}

/** The most words used of a query, which may be a whole text; the heaviest are used. */
const maxTerms = 48;
const otherFormShare = 0.5;
/** Share of the weight of a programming language's name, if the query has other words. */
const languageShare = 0.25;
/** Share of a pair of characters, in scripts without blanks: a word consists of about three pairs. */
const pairShare = 1 / 3;
/** The least size assumed for coverage: in a store of three documents every word is frequent. */
const leastCollection = 200;
/** Short numbers and dates, which tell little. Longer numbers are names, such as of a ticket or a host. */
const plainNumber = /^(?:\d{1,4}|\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?|\d{1,2}[-./]\d{1,2}(?:[-./]\d{2,4})?)$/;

/** Share of a numbered name whose number occurs in no document: see numbered-names.ts. */
const seriesShare = 0.25;

/** What else is searched for: nothing, synonyms, or also everything that a mistyped word may be meant for. */
type Breadth = "words" | "synonyms" | "slips";

/** Looks up the words of a query and weights them. `documents`: the size of the collection. */
export async function readQueryWords(
  index: WordIndex,
  query: string,
  documents: number,
  breadth: Breadth = "words",
): Promise<QueryWords> {
  const isLastResort = breadth === "slips";
  const read = await readAskedWords(index, query, documents, { allRespelt: isLastResort });
  const { sequence, halves, others, inflected, frequencies } = read;
  const counters = countersOf(query);
  const asked = read.asked.filter((term) => !counters.has(term));
  const related = await readRelatedWords(index, sequence, {
    documents,
    withSynonyms: breadth !== "words",
  });
  const mistyped = isLastResort ? await readMistyped(index, read.strangers, documents) : undefined;
  const isBesideOthers = asked.some((term) => !languageNames.has(term));
  const shareOf = (term: string) => (isBesideOthers && languageNames.has(term) ? languageShare : 1);
  const countsAs = (term: string) => (halves.has(term) ? otherFormShare : shareOf(term));
  const formOf = (term: string, share: number, ofStem = 0): WordForm[] => {
    const found = frequencies.get(term) ?? related.frequencies.get(term) ?? mistyped?.frequencies.get(term);
    if (found === undefined) return [];
    const weight = share * inverseDocumentFrequency(documents, Math.max(found, ofStem));
    return [{ term, hash: termHash(term), documents: found, weight }];
  };
  const { numbers, series } = readNumberedNames(query, sequence, read.isKnown);
  const tellsNothing = (term: string) => plainNumber.test(term) && !numbers.has(term);
  const toldShareOf = (term: string) =>
    shareOf(term) * (isPair(term) ? pairShare : 1) * (series.has(term) ? seriesShare : 1);
  const collection = Math.max(leastCollection, documents);
  const words = asked.flatMap((term): QueryWord[] => {
    const otherForms = new Set(
      [others, related.words, mistyped?.words].flatMap((forms) => forms?.get(term) ?? []),
    );
    const alike = [term, ...(inflected.get(term) ?? [])];
    // A form that is rarer than the others tells no more than they do.
    const ofStem = Math.min(
      documents,
      alike.reduce((sum, form) => sum + (frequencies.get(form) ?? 0), 0),
    );
    const forms = [
      ...alike.flatMap((form) => formOf(form, countsAs(term), ofStem)),
      ...[...otherForms].flatMap((other) => formOf(other, countsAs(term) * otherFormShare)),
    ];
    const [first] = forms;
    if (first === undefined) return [];
    const weight = Math.max(...forms.map((form) => form.weight));
    const isNumber = tellsNothing(term) || forms.every((form) => tellsNothing(form.term));
    return [
      {
        term,
        weight,
        told: isNumber
          ? 0
          : toldShareOf(term) * inverseDocumentFrequency(collection, Math.max(first.documents, ofStem)),
        forms,
      },
    ];
  });
  const known = new Set(words.map(({ term }) => term));
  const strangers = asked.filter((term) => !known.has(term) && !tellsNothing(term));
  return {
    words: words.sort((a, b) => b.weight - a.weight).slice(0, maxTerms),
    told:
      words.reduce((sum, { told }) => sum + told, 0) +
      strangers.reduce((sum, term) => sum + toldShareOf(term), 0) * inverseDocumentFrequency(collection, 0),
    sequence,
  };
}
