import type { SearchHit } from "../../index/hits.ts";
import type { SearchScope } from "../../index/scope.ts";
import type { Sql } from "../../store/sql.ts";
import { walkBestFirst } from "./best-first.ts";
import { documentsOf } from "./documents.ts";
import { startNodes } from "./start-nodes.ts";

/** Rows related to the things that the query names, best first: the third stream of a search. */
export async function searchGraph(
  sql: Sql,
  query: string,
  scope: SearchScope,
  limit: number,
): Promise<SearchHit[]> {
  const keys =
    scope.projectKeys === undefined
      ? undefined
      : [...scope.projectKeys, ...(scope.includeWithoutProject === true ? [""] : [])];
  const starts = await startNodes(sql, query, keys, scope.agent);
  if (starts.length === 0) return [];
  return documentsOf(sql, walkBestFirst(sql, starts), scope, limit);
}
