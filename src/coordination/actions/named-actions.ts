import type { Writing } from "../../governance/transfer/collection.ts";
import { gateActions } from "./gates.ts";

/**
 * After an import: adds the missing `gated_by` edges from the actions that a checkpoint or sentinel lists.
 */
export async function gateNamedActions(
  { tx, ground }: Writing,
  table: "checkpoints" | "sentinels",
): Promise<void> {
  const missing = await tx.sql.all<{ gateId: string; actionId: string }>(
    `SELECT gate.id AS gateId, actions.id AS actionId
     FROM ${table} AS gate, json_each(gate.linked_action_ids) AS named JOIN actions ON actions.id = named.value
     WHERE NOT EXISTS (SELECT 1 FROM action_edges
       WHERE source_action_id = actions.id AND type = 'gated_by' AND target_action_id = gate.id)`,
  );
  for (const { gateId, actionId } of missing) await gateActions(tx, ground, gateId, [actionId]);
}
