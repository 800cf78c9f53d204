import { deleteActions } from "../../coordination/actions/deletion.ts";
import { deleteEdges } from "../../coordination/actions/edges.ts";
import { reevaluate } from "../../coordination/actions/gates.ts";
import type { Ground } from "../../ground.ts";
import { deleteMemories } from "../../knowledge/memories/deletion.ts";
import type { Transaction } from "../../store/store.ts";

type Delete = (tx: Transaction, ground: Pick<Ground, "now">, ids: readonly string[]) => Promise<unknown>;

/** How rows go that were deleted elsewhere, by the kind that their tombstones name. */
export const deletions: ReadonlyMap<string, Delete> = new Map<string, Delete>([
  ["memory", (tx, { now }, ids) => deleteMemories(tx, ids, now())],
  ["action", deleteActions],
  ["actionEdge", deleteActionEdges],
  ["semantic", deleteFrom("semantic_memories")],
  ["procedural", deleteFrom("procedural_memories")],
  ["relation", deleteFrom("memory_relations")],
]);

async function deleteActionEdges(tx: Transaction, ground: Pick<Ground, "now">, ids: readonly string[]) {
  const list = JSON.stringify(ids);
  const sources = await tx.sql.values(
    "SELECT DISTINCT source_action_id FROM action_edges WHERE id IN (SELECT value FROM json_each(?))",
    [list],
  );
  await deleteEdges(tx, ids);
  await reevaluate(
    tx,
    ground,
    sources.map(([id]) => String(id)),
  );
}

/** For rows that nothing hangs on. */
function deleteFrom(table: string): Delete {
  return (tx, _ground, ids) =>
    tx.sql.run(`DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`, [JSON.stringify(ids)]);
}
