import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";
import { dayMs, hourMs } from "../../time/durations.ts";

const keptAfterExpiryMs = 7 * dayMs;
export const signalSweepMs = hourMs;

/** Signals that expired a week before the time `?1`. */
export const spentSignals = `SELECT id FROM signals WHERE expires_at <= ?1 - ${keptAfterExpiryMs}`;

/**
 * Deletes signals a week after they expired. An expired signal is never shown, but until then it stays: one
 * that expired only because the clock was ahead is shown again when the clock is right, so this is not part
 * of the clockwork. Returns how many were deleted.
 */
export async function dropSpentSignals({ store, now }: Ground, audit: Audit): Promise<number> {
  return store.write(async (tx) => {
    const ids = await deleteSpentSignals(tx.sql, now());
    if (ids.length > 0) await audit.recordSweep(tx, ids, { signals: ids.length });
    return ids.length;
  });
}

/** Deletes the signals that expired a week ago, with their receipts. Returns their ids. */
export async function deleteSpentSignals(sql: Sql, now: number): Promise<string[]> {
  const ids = await firstColumn(sql, spentSignals, [now]);
  if (ids.length === 0) return ids;
  const list = JSON.stringify(ids);
  await sql.run("DELETE FROM signal_receipts WHERE signal_id IN (SELECT value FROM json_each(?))", [list]);
  await sql.run("DELETE FROM signals WHERE id IN (SELECT value FROM json_each(?))", [list]);
  return ids;
}
