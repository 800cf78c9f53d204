import type { SearchHit } from "./hits.ts";
import type { SearchScope } from "./scope.ts";

/*
 * What a search asks, and who answers. Each stream takes one question: a plain value, which goes to a thread as it is.
 */

/** A question in words. */
export interface SearchQuestion {
  readonly query: string;
  readonly scope: SearchScope;
  /** The most hits. */
  readonly limit: number;
}

/** A question as a vector. */
export interface VectorQuestion extends Omit<SearchQuestion, "query"> {
  readonly vector: Float32Array;
  /** Identifies the model that made the vector. Vectors of other models are not compared with it. */
  readonly fingerprint: string;
  /** The smallest cosine of a hit, −1 to 1. */
  readonly minSimilarity: number;
}

/** Asks by which passages a query matches documents. */
export interface PassageQuestion {
  readonly query: string;
  /** Ids of documents. */
  readonly ids: readonly number[];
}

/** Passages by document id. */
export type Passages = ReadonlyMap<number, string>;

/** The streams of a search, each with the best hits first, and the passages of what they found. */
export interface SearchStreams {
  /** Documents with the query's words. */
  keyword(question: SearchQuestion): Promise<SearchHit[]>;
  /**
   * Documents with similar vectors, of equal ones the newer first; undefined while the vectors are being loaded. The
   * question is compared with every vector in the scope, and the score is the cosine of the document's best chunk.
   */
  vector(question: VectorQuestion): Promise<SearchHit[] | undefined>;
  /** Documents related to the things that the query names. */
  graph(question: SearchQuestion): Promise<SearchHit[]>;
  passages(question: PassageQuestion): Promise<Passages>;
}

/** Runs the streams over a database, on the caller's thread or on others. */
export interface SearchIndexes extends SearchStreams {
  /** To be called when another database has taken the place of the searched one. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}
