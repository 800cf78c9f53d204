import type { ExportPage, Reading } from "../../governance/transfer/collection.ts";
import type { Sql } from "../../store/sql.ts";
import type { ExchangedTable } from "./exchanged-tables.ts";
import { type Part, partOf, rowsIn } from "./part.ts";

/** About how many bytes of edges go together with their nodes. */
export const enoughBytes = 2 * 1024 * 1024;

/**
 * Edges of the graph in batches of about `enoughBytes`, each after the nodes at its ends if nodes are
 * exchanged.
 */
export async function* edgesWithEnds(
  sql: Sql,
  edges: ExchangedTable,
  nodes: readonly ExchangedTable[],
  reading: Reading,
): AsyncGenerator<Part> {
  let pages: ExportPage[] = [];
  let bytes = 0;
  for await (const page of edges.collection.pages(reading)) {
    pages.push(page);
    bytes += page.length;
    if (bytes < enoughBytes) continue;
    yield* withEnds(sql, edges, nodes, reading, pages);
    pages = [];
    bytes = 0;
  }
  if (pages.length > 0) yield* withEnds(sql, edges, nodes, reading, pages);
}

async function* withEnds(
  sql: Sql,
  edges: ExchangedTable,
  nodes: readonly ExchangedTable[],
  reading: Reading,
  pages: readonly ExportPage[],
): AsyncGenerator<Part> {
  const ends = pages.flatMap((page) =>
    rowsIn<GraphEnds>(page).flatMap(({ sourceNodeId, targetNodeId }) => [sourceNodeId, targetNodeId]),
  );
  const args = [JSON.stringify([...new Set(ends)])];
  const only = { text: "r.id IN (SELECT value FROM json_each(?1))", args };
  for (const one of nodes) {
    for await (const page of one.collection.pages({ ...reading, only })) yield partOf(sql, one, page, false);
  }
  for (const [at, page] of pages.entries()) yield partOf(sql, edges, page, at === pages.length - 1);
}

interface GraphEnds {
  readonly sourceNodeId: string;
  readonly targetNodeId: string;
}
