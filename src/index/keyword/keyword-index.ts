import type { Sql } from "../../store/sql.ts";
import type { SearchHit } from "../hits.ts";
import { type Passages, readPassages } from "../passages/read-passages.ts";
import type { SearchScope } from "../scope.ts";
import { keywordSearch } from "./keyword.ts";

/** Runs keyword searches, on the caller's thread or on a thread of its own. */
export interface KeywordIndex {
  search(query: string, scope: SearchScope, limit: number): Promise<SearchHit[]>;
  /** The passages by which the query matches the documents with these ids. */
  passages(query: string, ids: readonly number[]): Promise<Passages>;
  /** To be called when another database has taken the place of the searched one. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Searches on the caller's thread: suitable for a command that searches once and ends. */
export function inlineKeywordIndex(sql: Sql): KeywordIndex {
  return {
    search: (query, scope, limit) => keywordSearch(sql, query, scope, limit),
    passages: (query, ids) => readPassages(sql, query, ids),
    // Nothing to do: the connection switches to the new database by itself.
    reopen: async () => undefined,
    close: async () => undefined,
  };
}
