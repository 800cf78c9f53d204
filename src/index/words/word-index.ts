import type { Candidate } from "../keyword/candidate.ts";
import type { QueryWord, WordForm } from "../keyword/query-words.ts";
import type { SearchScope } from "../scope.ts";
import type { ForwardIndex, PerField } from "./forward.ts";

/** What ranking asks of the whole collection. */
export interface Collection {
  readonly documents: number;
  /** Average tokens per field. */
  readonly averageLengths: PerField<number>;
}

/** Which documents hold which words: in the database, or in memory. */
export interface WordIndex {
  collection(): Promise<Collection>;
  /** In how many documents each term stands; terms in none are left out. */
  frequencies(terms: readonly string[], documents: number): Promise<ReadonlyMap<string, number>>;
  /** Terms that begin with this one and go on, the shortest first. */
  longer(term: string): Promise<readonly string[]>;
  ask(question: WordQuestion): CandidateSearch;
}

export interface WordQuestion {
  readonly words: readonly QueryWord[];
  readonly scope: SearchScope;
  /** Size of the collection. */
  readonly documents: number;
  /** Weighted: see bm25f.ts. */
  readonly averageLength: number;
}

/** One question's way through an index. */
export interface CandidateSearch {
  /** Documents inside the scope that hold any of the terms, best first: some hundreds, with the best `wanted` among them. */
  find(terms: readonly WordForm[], wanted: number): Promise<Candidate[]>;
  /** Scores documents that were not found; those outside the scope are left out. */
  score(ids: readonly number[]): Promise<Candidate[]>;
  /** The words of candidates, in their order; one that was deleted meanwhile has none. */
  open(candidates: readonly Candidate[]): Promise<ForwardIndex[]>;
  /** What the documents stand for; deleted ones are left out. */
  refsOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}
