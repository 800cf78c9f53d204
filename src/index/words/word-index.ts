import type { Candidate } from "../keyword/candidate.ts";
import type { SearchScope } from "../scope.ts";
import type { ForwardIndex, PerField } from "./forward.ts";

/** Statistics of the whole collection that ranking uses. */
export interface Collection {
  readonly documents: number;
  /** Average tokens per field. */
  readonly averageLengths: PerField<number>;
}

/** An index of the words of all documents, in the database or in memory. */
export interface WordIndex {
  collection(): Promise<Collection>;
  /** Document frequency of each term; terms in no document are left out. `documents`: the size of the collection. */
  frequencies(terms: readonly string[], documents: number): Promise<ReadonlyMap<string, number>>;
  /**
   * Like `frequencies`, for many terms of which few are known: an index of hashes would now and then take one of them
   * for a word with the same hash.
   */
  knownAmong(terms: readonly string[], documents: number): Promise<ReadonlyMap<string, number>>;
  /** Longer terms that begin with this one, the shortest first. */
  longer(term: string): Promise<readonly string[]>;
  /** Terms that are this stem, or that and an ending, the shortest first. */
  beginningWith(stem: string): Promise<readonly string[]>;
  ask(question: WordQuestion): CandidateSearch;
}

/** A word of a query that occurs in the collection. */
export interface QueryWord {
  readonly term: string;
  /** The weight of its heaviest form, by inverse document frequency. */
  readonly weight: number;
  /**
   * Its weight in the query's coverage: inverse document frequency as in a collection that is not tiny; 0 for numbers.
   */
  readonly told: number;
  /** The terms that count as the word: itself, and others such as `db` for `database`, `reindex` for `re-index`. */
  readonly forms: readonly WordForm[];
}

export interface WordForm {
  readonly term: string;
  readonly hash: number;
  /** Its document frequency. */
  readonly documents: number;
  /** Its inverse document frequency times the share that this form counts for. */
  readonly weight: number;
}

export interface WordQuestion {
  readonly words: readonly QueryWord[];
  readonly scope: SearchScope;
  /** Size of the collection. */
  readonly documents: number;
  /** The average weighted length of a document: see bm25f.ts. */
  readonly averageLength: number;
}

/** One search in an index, which finds and scores its candidates. */
export interface CandidateSearch {
  /** Documents in the scope with any of the terms, best first: some hundreds, with the best `wanted` among them. */
  find(terms: readonly WordForm[], wanted: number): Promise<Candidate[]>;
  /** Scores documents that `find` did not return. Documents outside the scope are left out. */
  score(ids: readonly number[]): Promise<Candidate[]>;
  /** The forward indexes of candidates, in their order; empty for a document that was deleted meanwhile. */
  open(candidates: readonly Candidate[]): Promise<ForwardIndex[]>;
  /** The refs of documents, by document id; deleted ones are left out. */
  refsOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}
