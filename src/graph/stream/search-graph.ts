import type { SearchHit } from "../../index/hits.ts";
import type { SearchQuestion } from "../../index/search-streams.ts";
import type { Sql } from "../../store/sql.ts";
import { walkBestFirst } from "./best-first.ts";
import { documentsOf } from "./documents.ts";
import { startNodes } from "./start-nodes.ts";

/** Rows related to the things that the query names, best first: the third stream of a search. */
export async function searchGraph(sql: Sql, question: SearchQuestion): Promise<SearchHit[]> {
  const starts = await startNodes(sql, question);
  if (starts.length === 0) return [];
  return documentsOf(sql, walkBestFirst(sql, starts), question);
}
