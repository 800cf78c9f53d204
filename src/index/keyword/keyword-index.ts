import type { Sql } from "../../store/sql.ts";
import type { SearchHit } from "../hits.ts";
import { type Passages, readPassages } from "../passages/read-passages.ts";
import type { SearchScope } from "../scope.ts";
import { keywordSearch } from "./keyword.ts";

/** Where keyword searches run: on the caller's thread, or on one of their own. */
export interface KeywordIndex {
  search(query: string, scope: SearchScope, limit: number): Promise<SearchHit[]>;
  /** By which passages of theirs the query finds the documents in these rows. */
  passages(query: string, ids: readonly number[]): Promise<Passages>;
  /** Told when another database has taken the place of the one that is searched. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Searches on the caller's thread: right for a command that asks once and ends. */
export function inlineKeywordIndex(sql: Sql): KeywordIndex {
  return {
    search: (query, scope, limit) => keywordSearch(sql, query, scope, limit),
    passages: (query, ids) => readPassages(sql, query, ids),
    // The connection that it was given goes to the new database by itself.
    reopen: async () => undefined,
    close: async () => undefined,
  };
}
