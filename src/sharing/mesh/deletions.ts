import { deleteActions } from "../../coordination/actions/deletion.ts";
import { deleteEdges } from "../../coordination/actions/edges.ts";
import { reevaluate } from "../../coordination/actions/gates.ts";
import { deleteUnsupportedEdges, deleteUnsupportedNodes } from "../../graph/upkeep/unsupported.ts";
import type { Ground } from "../../ground.ts";
import { deleteInsightsFrom } from "../../knowledge/insights/delete-insights.ts";
import { deleteMemories } from "../../knowledge/memories/forgetting/deletion.ts";
import { firstColumn } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";

/** Deletes rows that exist; returns the ids of those that were deleted. */
type Delete = (
  tx: Transaction,
  ground: Pick<Ground, "now">,
  ids: readonly string[],
) => Promise<readonly string[]>;

/**
 * How to delete rows that a peer deleted, by the kind that their tombstones name. Rows that refer to others
 * come first.
 */
export const deletions: ReadonlyMap<string, Delete> = new Map<string, Delete>([
  ["relation", deleteFrom("memory_relations")],
  ["memory", all((tx, { now }, ids) => deleteMemories(tx, ids, now()))],
  ["actionEdge", all(deleteActionEdges)],
  ["action", all(deleteActions)],
  ["semantic", all(deleteFacts)],
  ["procedural", deleteFrom("procedural_memories")],
  ["graphEdge", ({ sql }, _ground, ids) => deleteUnsupportedEdges(sql, ids)],
  ["graphNode", ({ sql }, _ground, ids) => deleteUnsupportedNodes(sql, ids)],
]);

async function deleteActionEdges(tx: Transaction, ground: Pick<Ground, "now">, ids: readonly string[]) {
  const sources = await firstColumn(
    tx.sql,
    "SELECT DISTINCT source_action_id FROM action_edges WHERE id IN (SELECT value FROM json_each(?))",
    [JSON.stringify(ids)],
  );
  await deleteEdges(tx, ids);
  await reevaluate(tx, ground, sources);
}

/** With the insights that were drawn from them here. */
async function deleteFacts(tx: Transaction, _ground: Pick<Ground, "now">, ids: readonly string[]) {
  await deleteRows(tx, "semantic_memories", ids);
  await deleteInsightsFrom(tx, ids);
}

/** For rows that nothing refers to. */
function deleteFrom(table: string): Delete {
  return all((tx, _ground, ids) => deleteRows(tx, table, ids));
}

function deleteRows({ sql }: Transaction, table: string, ids: readonly string[]) {
  return sql.run(`DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`, [JSON.stringify(ids)]);
}

/** For deletions that always delete every row they are given. */
function all(remove: (...given: Parameters<Delete>) => Promise<unknown>): Delete {
  return async (tx, ground, ids) => {
    await remove(tx, ground, ids);
    return ids;
  };
}
