import { buryAll } from "../../governance/retention/tombstones.ts";
import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { forgetLeases } from "../leases/held.ts";
import { deleteEdgesOf } from "./edges.ts";
import { dependentsOf, reevaluate } from "./gates.ts";

/**
 * The one way in which actions go: row, edges and leases together, with tombstones. Those that waited for them are
 * re-evaluated.
 */
export async function deleteActions(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const list = JSON.stringify(ids);
  const dependents = await dependentsOf(tx.sql, ids);
  const edgeIds = await deleteEdgesOf(tx, ids);
  await forgetLeases(tx, ids);
  await tx.sql.run(
    "UPDATE actions SET parent_id = NULL WHERE parent_id IN (SELECT value FROM json_each(?))",
    [list],
  );
  await tx.sql.run("DELETE FROM actions WHERE id IN (SELECT value FROM json_each(?))", [list]);
  await buryAll(tx.sql, "action", ids, ground.now());
  await buryAll(tx.sql, "actionEdge", edgeIds, ground.now());
  await reevaluate(tx, ground, dependents);
}
