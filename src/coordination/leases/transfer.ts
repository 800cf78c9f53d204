import * as z from "zod";
import type { Writing } from "../../governance/transfer/collection.ts";
import { FileId, FileTime } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { firstRow, hasRow, type Sql } from "../../store/sql.ts";
import { TableRows } from "../../store/table-rows.ts";
import { LeaseStatus, leaseRecord } from "./record.ts";
import { leases } from "./tables.ts";

export const leaseCollection = tableCollection({
  name: "leases",
  rows: new TableRows(leases, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    actionId: FileId,
    agentId: FileId,
    acquiredAt: FileTime,
    expiresAt: FileTime,
    renewedAt: FileTime.optional(),
    status: LeaseStatus.default("released"),
  }),
  record: leaseRecord,
  rowOfBatch: async (_batch, { tx, warn }) => {
    const holders = new Map<string, string>();
    return async (lease) => {
      const isKnown = await hasRow(tx.sql, "SELECT 1 FROM actions WHERE id = ?", [lease.actionId]);
      if (!isKnown) return "a lease on an action that does not exist was left out";
      const row = { ...lease, renewedAt: lease.renewedAt ?? null };
      if (lease.status !== "active" || (await mayHold(tx.sql, lease, holders))) return row;
      warn("leases: one on an action that another holds was taken for expired");
      return { ...row, status: "expired" as const };
    };
  },
  changedAt: ({ renewedAt, acquiredAt }) => renewedAt ?? acquiredAt,
  settle: async (writing) => {
    await dropLoose(writing);
    await closeFinished(writing);
  },
});

/**
 * Whether no other lease on the action is active, neither in the store nor earlier in the batch; `holders` are the
 * leases that were active first, by action.
 */
async function mayHold(
  sql: Sql,
  { id, actionId }: { readonly id: string; readonly actionId: string },
  holders: Map<string, string>,
): Promise<boolean> {
  const stored = await firstRow<{ id: string }>(
    sql,
    "SELECT id FROM leases WHERE action_id = ? AND status = 'active'",
    [actionId],
  );
  const holder = stored?.id ?? holders.get(actionId) ?? id;
  holders.set(actionId, holder);
  return holder === id;
}

/** An import that replaces only the actions may leave leases on deleted actions. */
async function dropLoose({ tx, warn }: Writing): Promise<void> {
  const { changes } = await tx.sql.run(
    "DELETE FROM leases WHERE NOT EXISTS (SELECT 1 FROM actions WHERE id = leases.action_id)",
  );
  if (changes > 0) warn("leases: those on actions that are gone were dropped");
}

/**
 * Ends the leases on finished actions, of all actions or of those that arrived: incoming rows may finish an
 * action that they, or the store, still show as held.
 */
export async function closeFinished({ tx, warn }: Writing, arrived?: readonly string[]): Promise<void> {
  const { changes } = await tx.sql.run(
    `UPDATE leases SET status = 'released' WHERE status = 'active'
       AND (?1 IS NULL OR action_id IN (SELECT value FROM json_each(?1)))
       AND EXISTS (SELECT 1 FROM actions WHERE id = leases.action_id AND status IN ('done', 'cancelled'))`,
    [arrived === undefined ? null : JSON.stringify(arrived)],
  );
  if (changes > 0) warn("leases: those on actions that are finished were closed");
}
