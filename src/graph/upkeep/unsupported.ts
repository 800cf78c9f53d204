import type { Sql } from "../../store/sql.ts";
import { deleteEdges, deleteNodes } from "../storage/detach.ts";

/*
 * What was deleted in the store that it came from is deleted here too, unless rows of this store are its sources.
 */

/** Deletes those of the edges that have no source here. Returns their ids. */
export async function deleteUnsupportedEdges(sql: Sql, ids: readonly string[]): Promise<string[]> {
  return deleteThose(sql, deleteEdges, "graph_edges", "source_count = 0", ids);
}

/** Deletes those of the nodes that have neither a source here nor edges. Returns their ids. */
export async function deleteUnsupportedNodes(sql: Sql, ids: readonly string[]): Promise<string[]> {
  return deleteThose(sql, deleteNodes, "graph_nodes", "source_count = 0 AND degree = 0", ids);
}

async function deleteThose(
  sql: Sql,
  remove: (sql: Sql, keys: readonly number[]) => Promise<void>,
  table: string,
  unsupported: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await sql.values(
    `SELECT key, id FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) AND ${unsupported}`,
    [JSON.stringify(ids)],
  );
  await remove(
    sql,
    rows.map(([key]) => Number(key)),
  );
  return rows.map(([, id]) => String(id));
}
