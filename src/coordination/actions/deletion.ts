import { writeTombstones } from "../../governance/retention/tombstones.ts";
import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { dropFacetsOf } from "../facets/deletion.ts";
import { deleteLeasesOn } from "../leases/lease-holders.ts";
import { deleteEdgesOf } from "./edges.ts";
import { dependentsOf, reevaluate } from "./gates.ts";

/**
 * The only way to delete actions: rows, edges, leases and facets together, leaving tombstones. The actions
 * that depended on them are re-evaluated.
 */
export async function deleteActions(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const list = JSON.stringify(ids);
  const dependents = await dependentsOf(tx.sql, ids);
  const edges = await deleteEdgesOf(tx, ids);
  await deleteLeasesOn(tx, ids);
  await dropFacetsOf(tx.sql, "action", ids);
  await tx.sql.run(
    "UPDATE actions SET parent_id = NULL WHERE parent_id IN (SELECT value FROM json_each(?))",
    [list],
  );
  const gone = await tx.sql.all<{ id: string; updatedAt: number; projectKey: string | null }>(
    `DELETE FROM actions WHERE id IN (SELECT value FROM json_each(?))
     RETURNING id, updated_at AS updatedAt, project_key AS projectKey`,
    [list],
  );
  await writeTombstones(tx.sql, "action", gone, ground.now());
  await writeTombstones(tx.sql, "actionEdge", edges, ground.now());
  await reevaluate(tx, ground, dependents);
}
