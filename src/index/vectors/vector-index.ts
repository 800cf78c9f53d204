import type { Sql } from "../../store/sql.ts";
import type { SearchHit } from "../hits.ts";
import type { SearchScope } from "../scope.ts";
import { scanVectors } from "./vector-scan.ts";

export interface VectorQuery {
  readonly vector: Float32Array;
  /** Identifies the model that made the vector. Vectors of other models are not compared with it. */
  readonly fingerprint: string;
  readonly scope: SearchScope;
  readonly limit: number;
  /** The smallest cosine of a hit, −1 to 1. */
  readonly minSimilarity: number;
}

/** Finds documents by exhaustive search: the query is compared with every vector in the scope. */
export interface VectorIndex {
  /**
   * Hits with the best first, of equal ones the newer first; undefined while the index is not ready. `score` is the
   * cosine between the query and the document's best chunk.
   */
  search(
    vector: Float32Array,
    fingerprint: string,
    scope: SearchScope,
    limit: number,
    minSimilarity: number,
  ): Promise<SearchHit[] | undefined>;
  /** To be called when another database has taken the place of the searched one. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Searches in SQL: suitable for a command that searches once and ends, and for a store on a server. */
export function inlineVectorIndex(sql: Sql): VectorIndex {
  return {
    search: (vector, fingerprint, scope, limit, minSimilarity) =>
      scanVectors(sql, { vector, fingerprint, scope, limit, minSimilarity }),
    // Nothing to do: the connection switches to the new database by itself.
    reopen: async () => undefined,
    close: async () => undefined,
  };
}
