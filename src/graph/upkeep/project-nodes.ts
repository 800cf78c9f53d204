import { ofProjects } from "../../store/of-projects.ts";
import { firstKeys, type Sql } from "../../store/sql.ts";
import { deleteNodes } from "../storage/detach.ts";
import { writeGraphTombstones } from "../storage/graph-tombstones.ts";
import { dropSnapshot } from "./clear.ts";

/**
 * Deletes what is left of projects in the graph once all their rows are deleted: nodes that were imported or that a
 * peer made have no source here. The counts of the projects go too, and the snapshot, whose age they tell.
 */
export async function deleteNodesOfProjects(
  sql: Sql,
  projectKeys: readonly string[],
  now: number,
): Promise<void> {
  const keys = [JSON.stringify(projectKeys)];
  const nodes = await firstKeys(sql, `SELECT key FROM graph_nodes WHERE ${ofProjects}`, keys);
  await writeGraphTombstones(sql, { nodes, edges: [] }, now);
  await deleteNodes(sql, nodes);
  await sql.run(`DELETE FROM graph_counts WHERE ${ofProjects}`, keys);
  await dropSnapshot(sql);
}
