import { eq } from "drizzle-orm";
import * as z from "zod";
import type { Writing } from "../../governance/transfer/collection.ts";
import { FileId, FileTime } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { hasRow } from "../../store/sql.ts";
import { TableRows } from "../../store/table-rows.ts";
import { leaseOn } from "./lease-holders.ts";
import { type LeaseRow, LeaseStatus, leaseRecord } from "./record.ts";
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
  rowOfBatch: async (_batch, writing) => {
    const holders = new Map<string, string>();
    return async (lease) => {
      const isKnown = await hasRow(writing.tx.sql, "SELECT 1 FROM actions WHERE id = ?", [lease.actionId]);
      if (!isKnown) return "a lease on an action that does not exist was left out";
      const row = { ...lease, renewedAt: lease.renewedAt ?? null };
      if (lease.status !== "active" || (await mayHold(writing, row, holders))) return row;
      writing.warn(takenForExpired);
      return { ...row, status: "expired" as const };
    };
  },
  changedAt: takenAt,
  // The end of a lease leaves no time on it.
  unite: (kept, other) =>
    takenAt(kept) === takenAt(other) && places.indexOf(other.status) > places.indexOf(kept.status)
      ? { ...kept, status: other.status }
      : kept,
  settle: async (writing) => {
    await dropLoose(writing);
    await closeFinished(writing);
  },
});

/** A lease never goes back to an earlier one of these. */
const places: readonly LeaseStatus[] = ["active", "expired", "released"];

const takenForExpired = "leases: one on an action that another holds was taken for expired";

/** When a lease was taken or last renewed. */
function takenAt({ renewedAt, acquiredAt }: Pick<LeaseRow, "renewedAt" | "acquiredAt">): number {
  return renewedAt ?? acquiredAt;
}

/**
 * Whether a lease holds its action: no other one is active, neither in the store nor earlier in the batch. `holders`
 * are the leases that were active first, by action. A merge ends a stored one that was taken before.
 */
async function mayHold(
  { tx, ground, strategy, warn }: Writing,
  lease: LeaseRow,
  holders: Map<string, string>,
): Promise<boolean> {
  const { id, actionId } = lease;
  const stored = await leaseOn(tx, actionId);
  const isEarlier = stored !== undefined && stored.id !== id && takenAt(stored) < takenAt(lease);
  if (strategy === "merge" && isEarlier && !holders.has(actionId) && lease.expiresAt > ground.now()) {
    await tx.orm.update(leases).set({ status: "expired" }).where(eq(leases.id, stored.id));
    warn(takenForExpired);
    holders.set(actionId, id);
    return true;
  }
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
