import type { Sql } from "../../store/sql.ts";
import { dayMs } from "../../time/durations.ts";
import type { ExpiryStep } from "../clockwork.ts";

const keptAfterExpiryMs = 7 * dayMs;

/** Signals that expired a week before the time `?1`. */
export const spentSignals = `SELECT id FROM signals WHERE expires_at <= ?1 - ${keptAfterExpiryMs}`;

/** An expired signal is shown to nobody; a week later it goes. */
export const signalExpiry: ExpiryStep = {
  name: "signals",
  due: `${spentSignals} LIMIT 1`,
  onlyInSweep: true,
  carryOut: (tx, { now }) => deleteSpentSignals(tx.sql, now()),
};

/** Deletes the signals that expired a week ago, with their receipts. Returns their ids. */
export async function deleteSpentSignals(sql: Sql, now: number): Promise<string[]> {
  const ids = (await sql.values(spentSignals, [now])).map(([id]) => String(id));
  if (ids.length === 0) return ids;
  const list = JSON.stringify(ids);
  await sql.run("DELETE FROM signal_receipts WHERE signal_id IN (SELECT value FROM json_each(?))", [list]);
  await sql.run("DELETE FROM signals WHERE id IN (SELECT value FROM json_each(?))", [list]);
  return ids;
}
