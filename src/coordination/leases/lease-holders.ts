import { and, eq, sql as text } from "drizzle-orm";
import { MemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { quoteWord } from "../../text/quote-word.ts";
import type { LeaseRow } from "./record.ts";
import { leases } from "./tables.ts";

/** The active lease on an action. The caller has to apply expiries (`Clockwork`) first. */
export async function leaseOn(
  { orm }: Pick<Connection, "orm">,
  actionId: string,
): Promise<LeaseRow | undefined> {
  const [row] = await orm
    .select()
    .from(leases)
    .where(and(eq(leases.actionId, actionId), eq(leases.status, "active")));
  return row;
}

/** The agents that hold actions, by action id. */
export async function holders({ sql }: Pick<Connection, "sql">): Promise<Map<string, string>> {
  const rows = await sql.all<{ actionId: string; agentId: string }>(
    "SELECT action_id AS actionId, agent_id AS agentId FROM leases WHERE status = 'active'",
  );
  return new Map(rows.map(({ actionId, agentId }) => [actionId, agentId]));
}

/** Ends the active lease on an action. */
export async function endLease({ orm }: Transaction, actionId: string): Promise<void> {
  await orm
    .update(leases)
    .set({ status: "released" })
    .where(and(eq(leases.actionId, actionId), eq(leases.status, "active")));
}

/** Deletes all leases on actions, for the deletion of these actions. */
export async function deleteLeasesOn({ orm }: Transaction, actionIds: readonly string[]): Promise<void> {
  await orm
    .delete(leases)
    .where(text`${leases.actionId} IN (SELECT value FROM json_each(${JSON.stringify(actionIds)}))`);
}

/** `hint` is the way out for the agent that asks, since only the holder can change its lease. */
export function heldByAnother({ actionId, agentId, expiresAt }: LeaseRow, hint: string): MemsvcError {
  return new MemsvcError(
    "conflict",
    `action ${actionId} is held by ${agentId} until ${timeText(expiresAt)}`,
    { hint, extra: { heldBy: agentId, expiresAt: timeText(expiresAt) } },
  );
}

export function releaseAsHolder({ actionId, agentId }: LeaseRow): string {
  const holder = quoteWord(agentId);
  return `if ${agentId} no longer works on it, release it: memsvc lease release ${actionId} --agent-id ${holder}`;
}
