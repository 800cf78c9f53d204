import type { Sql } from "../../store/sql.ts";
import type { SearchHit } from "../hits.ts";
import type { SearchScope } from "../scope.ts";
import { scanVectors } from "./vector-scan.ts";

export interface VectorQuery {
  readonly vector: Float32Array;
  /** The model that made the vector; vectors of another are not compared with it. */
  readonly fingerprint: string;
  readonly scope: SearchScope;
  readonly limit: number;
  /** Documents that are less alike are left out; −1 to 1. */
  readonly minSimilarity: number;
}

/** Finds documents by their vectors, exactly: every vector inside the scope is looked at. */
export interface VectorIndex {
  /**
   * Best first, and of equals the newer; undefined while the index is not ready to answer. `score` is the cosine between
   * the query and the document's best chunk.
   */
  search(
    vector: Float32Array,
    fingerprint: string,
    scope: SearchScope,
    limit: number,
    minSimilarity: number,
  ): Promise<SearchHit[] | undefined>;
  /** Told when another database has taken the place of the one that is searched. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Searches in SQL: right for a command that asks once and ends, and for a store on a server. */
export function inlineVectorIndex(sql: Sql): VectorIndex {
  return {
    search: (vector, fingerprint, scope, limit, minSimilarity) =>
      scanVectors(sql, { vector, fingerprint, scope, limit, minSimilarity }),
    // The connection that it was given goes to the new database by itself.
    reopen: async () => undefined,
    close: async () => undefined,
  };
}
