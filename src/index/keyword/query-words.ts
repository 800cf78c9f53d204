import { languageNames } from "../../text/language-names.ts";
import { isPair } from "../../text/tokens.ts";
import { termHash } from "../words/forward.ts";
import type { WordIndex } from "../words/word-index.ts";
import { readAskedWords } from "./asked-words.ts";
import { inverseDocumentFrequency } from "./bm25f.ts";
import { readNumberedNames } from "./numbered-names.ts";

/** A word of a query, as the collection knows it. */
export interface QueryWord {
  readonly term: string;
  /** How much it tells. */
  readonly weight: number;
  /** How much it would tell in a collection that is not tiny; it says how much of the query something covers. */
  readonly told: number;
  /** What counts as the word, each with its share: itself, `db` for `database`, `reindex` for `re-index`. */
  readonly forms: readonly WordForm[];
}

export interface WordForm {
  readonly term: string;
  readonly hash: number;
  /** In how many documents it stands. */
  readonly documents: number;
  /** What an occurrence is worth. */
  readonly weight: number;
}

export interface QueryWords {
  /** Those that stand in any document, the most telling first. */
  readonly words: readonly QueryWord[];
  /** What all words of the query tell together, also those that stand nowhere; plain numbers do not. */
  readonly told: number;
  /** In the order of the query, with repetitions. */
  readonly sequence: readonly string[];
}

/** A query may be a whole text: the most telling of its words find. */
const maxTerms = 48;
const otherFormShare = 0.5;
/** Of the name of a programming language beside other words. */
const languageShare = 0.25;
/** Of a pair of characters: a word of a text without blanks is some three of them. */
const pairShare = 1 / 3;
/** In a store of three documents every word is frequent. */
const leastCollection = 200;
/** Short numbers and dates: whether somebody wrote them so tells little. Longer ones are names, of a ticket or a host. */
const plainNumber = /^(?:\d{1,4}|\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?|\d{1,2}[-./]\d{1,2}(?:[-./]\d{2,4})?)$/;

/** Of a name that all of its kind have, where the number that is asked for stands nowhere. */
const seriesShare = 0.25;

/** What a query's words tell about the documents of a collection of that size. */
export async function readQueryWords(
  index: WordIndex,
  query: string,
  documents: number,
): Promise<QueryWords> {
  const read = await readAskedWords(index, query, documents);
  const { sequence, asked, halves, others, frequencies } = read;
  const isBesideOthers = asked.some((term) => !languageNames.has(term));
  const shareOf = (term: string) => (isBesideOthers && languageNames.has(term) ? languageShare : 1);
  const countsAs = (term: string) => (halves.has(term) ? otherFormShare : shareOf(term));
  const formOf = (term: string, share: number): WordForm[] => {
    const found = frequencies.get(term);
    if (found === undefined) return [];
    const weight = share * inverseDocumentFrequency(documents, found);
    return [{ term, hash: termHash(term), documents: found, weight }];
  };
  const { numbers, series } = readNumberedNames(query, sequence, read.isKnown);
  const tellsNothing = (term: string) => plainNumber.test(term) && !numbers.has(term);
  const toldShareOf = (term: string) =>
    shareOf(term) * (isPair(term) ? pairShare : 1) * (series.has(term) ? seriesShare : 1);
  const collection = Math.max(leastCollection, documents);
  const words = asked.flatMap((term): QueryWord[] => {
    const forms = [
      ...formOf(term, countsAs(term)),
      ...(others.get(term) ?? []).flatMap((other) => formOf(other, countsAs(term) * otherFormShare)),
    ];
    const [first] = forms;
    if (first === undefined) return [];
    const weight = Math.max(...forms.map((form) => form.weight));
    const isNumber = tellsNothing(term) || forms.every((form) => tellsNothing(form.term));
    return [
      {
        term,
        weight,
        told: isNumber ? 0 : toldShareOf(term) * inverseDocumentFrequency(collection, first.documents),
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
