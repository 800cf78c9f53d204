import type { Ground } from "../../ground.ts";
import { changedAtSql } from "../../store/changed-at.ts";
import type { Transaction } from "../../store/store.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { reevaluate, reevaluateDependents } from "./gates.ts";

/** An agent starts to work on an action. */
export async function startWork(
  tx: Transaction,
  { now }: Pick<Ground, "now">,
  actionId: string,
  agentId: string,
): Promise<void> {
  await tx.sql.run(
    `UPDATE actions SET status = 'active', block_reason = NULL, assigned_to = ?1, updated_at = ${changedAtSql("?2")}
     WHERE id = ?3`,
    [agentId, now(), actionId],
  );
}

/** Nobody works on these actions any more: active ones become pending, or blocked if a gate is unmet. */
export async function releaseWork(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  actionIds: readonly string[],
): Promise<void> {
  if (actionIds.length === 0) return;
  await tx.sql.run(
    `UPDATE actions SET status = 'pending', assigned_to = NULL, updated_at = ${changedAtSql("?1")}
     WHERE status = 'active' AND id IN (SELECT value FROM json_each(?2))`,
    [ground.now(), JSON.stringify(actionIds)],
  );
  await reevaluate(tx, ground, actionIds);
}

/**
 * Marks an action as done. Returns the actions that waited for it alone. An action that was blocked by hand
 * stays blocked; only its result is stored.
 */
export async function completeWork(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  actionId: string,
  result: string,
): Promise<string[]> {
  const now = ground.now();
  await tx.sql.run(`UPDATE actions SET result = ?1, updated_at = ${changedAtSql("?2")} WHERE id = ?3`, [
    redactText(result),
    now,
    actionId,
  ]);
  await tx.sql.run(
    `UPDATE actions SET status = 'done', block_reason = NULL, completed_at = ?
     WHERE id = ? AND block_reason IS NOT 'manual'`,
    [now, actionId],
  );
  return (await reevaluateDependents(tx, ground, [actionId])).unblocked;
}
