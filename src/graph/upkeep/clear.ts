import { firstRow, type Sql } from "../../store/sql.ts";

export interface Cleared {
  readonly nodes: number;
  readonly edges: number;
  readonly links: number;
}

const tables = [
  "graph_edge_links",
  "graph_node_links",
  "graph_edges",
  "graph_name_words",
  "graph_names",
  "graph_nodes",
  "graph_sources",
  "graph_counts",
  "graph_pending",
] as const;

/**
 * Empties the graph in one transaction, whatever its size. The triggers are dropped and created again, because SQLite
 * only frees a table's pages without visiting its rows when the table has no triggers.
 */
export async function clearGraph(sql: Sql): Promise<Cleared> {
  const cleared = await firstRow<Cleared>(
    sql,
    `SELECT (SELECT count(*) FROM graph_nodes) AS nodes, (SELECT count(*) FROM graph_edges) AS edges,
       (SELECT count(*) FROM graph_node_links) + (SELECT count(*) FROM graph_edge_links) AS links`,
  );
  const triggers = await sql.all<{ name: string; text: string }>(
    `SELECT name, sql AS text FROM sqlite_master
     WHERE type = 'trigger' AND tbl_name IN ('graph_nodes', 'graph_edges') ORDER BY name`,
  );
  for (const { name } of triggers) await sql.run(`DROP TRIGGER ${name}`);
  for (const table of tables) await sql.run(`DELETE FROM ${table}`);
  for (const { text } of triggers) await sql.run(text);
  await dropSnapshot(sql);
  return cleared ?? { nodes: 0, edges: 0, links: 0 };
}

/** Drops the snapshot of the busiest nodes; the next request makes it again. */
export async function dropSnapshot(sql: Sql): Promise<void> {
  await sql.run(
    "UPDATE graph_state SET snapshot_at = NULL, snapshot_nodes = NULL, snapshot_edges = NULL, snapshot_moves = NULL",
  );
}
