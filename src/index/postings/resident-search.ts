import type { Sql } from "../../store/sql.ts";
import { readDocuments } from "../documents/packed-documents.ts";
import { byScore, type Candidate } from "../keyword/candidate.ts";
import { leaningPart } from "../scope.ts";
import { emptyForward, type ForwardIndex, termHash } from "../words/forward.ts";
import { longerTerms, termsOfStem } from "../words/longer-terms.ts";
import { documentFrequencies } from "../words/term-frequency.ts";
import type { CandidateSearch, WordForm, WordIndex, WordQuestion } from "../words/word-index.ts";
import type { HeldWords } from "./held-words.ts";

/** A searchable index over words in memory. Forward indexes and refs of the few best documents are read from `sql`. */
export function wordsIn(sql: Sql, words: HeldWords): WordIndex {
  return {
    collection: async () => words.collection,
    frequencies: async (terms) => {
      const frequencies = new Map<string, number>();
      for (const term of terms) {
        const documents = words.documentsOf(termHash(term));
        if (documents > 0) frequencies.set(term, documents);
      }
      return frequencies;
    },
    knownAmong: (terms, documents) => {
      const held = terms.filter((term) => words.documentsOf(termHash(term)) > 0);
      return documentFrequencies(sql, held, documents);
    },
    longer: (term) => longerTerms(sql, term),
    beginningWith: (stem) => termsOfStem(sql, stem),
    ask: (question) => new ResidentSearch(sql, words, question),
  };
}

/** The least number of candidates, the same as `probeSize` of a search in the database (candidates.ts). */
const leastFound = 400;
const noFields = { project: false, agent: false };

class ResidentSearch implements CandidateSearch {
  readonly #sql: Sql;
  readonly #words: HeldWords;
  readonly #question: WordQuestion;
  readonly #opened = new Map<number, ForwardIndex>();

  constructor(sql: Sql, words: HeldWords, question: WordQuestion) {
    this.#sql = sql;
    this.#words = words;
    this.#question = question;
  }

  async find(terms: readonly WordForm[], wanted: number): Promise<Candidate[]> {
    const { scope } = this.#question;
    const room = Math.max(leastFound, wanted);
    const found = this.#words.best(this.#question, terms, scope, room);
    const ofTime = leaningPart(scope);
    if (ofTime === undefined) return found;
    const known = new Set(found.map(({ id }) => id));
    const leaning = this.#words.best(this.#question, terms, ofTime, room);
    return [...found, ...leaning.filter(({ id }) => !known.has(id))].sort(byScore);
  }

  async score(ids: readonly number[]): Promise<Candidate[]> {
    const { documents } = this.#words;
    const isWithin = documents.within(this.#question.scope);
    const ordinals = ids.flatMap((id) => documents.ordinalOf(id) ?? []).filter(isWithin);
    return this.#words.candidates(this.#question, Uint32Array.from(ordinals)).sort(byScore);
  }

  async open(candidates: readonly Candidate[]): Promise<ForwardIndex[]> {
    const missing = candidates.map(({ id }) => id).filter((id) => !this.#opened.has(id));
    const rows = missing.length === 0 ? [] : await readDocuments(this.#sql, missing, noFields);
    for (const { id, document } of rows) this.#opened.set(id, document);
    return candidates.map(({ id }) => this.#opened.get(id) ?? emptyForward);
  }

  async refsOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const rows = await this.#sql.values(
      "SELECT documents.id, ref FROM json_each(?) AS shown CROSS JOIN documents ON documents.id = shown.value",
      [JSON.stringify(ids)],
    );
    return new Map(rows.map(([id, ref]) => [Number(id), String(ref)]));
  }
}
