import type { Sql } from "../../store/sql.ts";
import { type DocumentRow, readDocuments } from "../documents/packed-documents.ts";
import { saturationOf, termShare, weightedLength } from "../keyword/bm25f.ts";
import { byScore, type Candidate, messageType, sumOf } from "../keyword/candidate.ts";
import { findCandidates, findConfined, type Sought } from "../keyword/candidates.ts";
import { isInScope, leaningPart, scopeGroups, timeOf } from "../scope.ts";
import { emptyForward, type ForwardIndex } from "./forward.ts";
import { knownAmong } from "./known-among.ts";
import { longerTerms, termsOfStem } from "./longer-terms.ts";
import { documentFrequencies, readCollection } from "./term-frequency.ts";
import type { CandidateSearch, WordForm, WordIndex, WordQuestion } from "./word-index.ts";

/** The word index in the database. It keeps no words in memory, so a search finds everything that was committed. */
export function storedWords(sql: Sql): WordIndex {
  return {
    collection: () => readCollection(sql),
    frequencies: (terms, documents) => documentFrequencies(sql, terms, documents),
    knownAmong: (terms, documents) => knownAmong(sql, terms, documents),
    longer: (term) => longerTerms(sql, term),
    beginningWith: (stem) => termsOfStem(sql, stem),
    ask: (question) => new StoredSearch(sql, question),
  };
}

class StoredSearch implements CandidateSearch {
  readonly #sql: Sql;
  readonly #question: WordQuestion;
  readonly #refs = new Map<number, string>();
  readonly #documents = new Map<number, ForwardIndex>();

  constructor(sql: Sql, question: WordQuestion) {
    this.#sql = sql;
    this.#question = question;
  }

  async find(terms: readonly WordForm[], wanted: number): Promise<Candidate[]> {
    const { scope, documents } = this.#question;
    const ofTime = leaningPart(scope);
    const ids = new Set<number>();
    const unsure: Sought[] = [];
    for (const within of ofTime === undefined ? [scope] : [scope, ofTime]) {
      const sought = { terms, scope: await scopeGroups(this.#sql, within), time: timeOf(within), documents };
      const found = await findCandidates(this.#sql, sought, wanted);
      for (const id of found.ids) ids.add(id);
      if (found.mayMissSome) unsure.push(sought);
    }
    const candidates = await this.score([...ids]);
    if (candidates.length >= wanted || unsure.length === 0) return candidates;
    const more = new Set<number>();
    for (const sought of unsure) {
      for (const id of await findConfined(this.#sql, sought, wanted)) if (!ids.has(id)) more.add(id);
    }
    return [...candidates, ...(await this.score([...more]))].sort(byScore);
  }

  async score(ids: readonly number[]): Promise<Candidate[]> {
    const { scope } = this.#question;
    const asked = { project: scope.projectKeys !== undefined, agent: scope.agent !== undefined };
    const rows = await readDocuments(this.#sql, ids, asked);
    const candidates: Candidate[] = [];
    for (const row of rows) {
      if (!isInScope(scope, row)) continue;
      candidates.push(this.#scored(row));
      this.#refs.set(row.id, row.ref);
      this.#documents.set(row.id, row.document);
    }
    return candidates.sort(byScore);
  }

  async open(candidates: readonly Candidate[]): Promise<ForwardIndex[]> {
    return candidates.map(({ id }) => this.#documents.get(id) ?? emptyForward);
  }

  async refsOf(): Promise<ReadonlyMap<number, string>> {
    return this.#refs;
  }

  #scored({ document, ...row }: DocumentRow): Candidate {
    const { words, averageLength } = this.#question;
    const { id, kind, type, sessionId, createdAt, importance } = row;
    const { lengths } = document;
    const saturation = saturationOf(weightedLength(lengths), averageLength);
    const parts = new Float64Array(words.length);
    for (const [at, { forms }] of words.entries()) {
      let best = 0;
      for (const { hash, weight } of forms)
        best = Math.max(best, weight * termShare(document, hash, saturation));
      parts[at] = best;
    }
    return {
      ...{ id, kind, isMessage: type === messageType, sessionId, createdAt, importance },
      words: lengths.title + lengths.body,
      score: sumOf(parts),
      parts,
      saturation,
    };
  }
}
