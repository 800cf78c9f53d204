import type { Sql } from "../../store/sql.ts";

const keptAfterExpiryMs = 7 * 86_400_000;

/** Signals that nobody has seen for so long that they are to go: `SELECT id`, with its arguments. */
export function spentSignals(now: number): { readonly query: string; readonly args: number[] } {
  return { query: "SELECT id FROM signals WHERE expires_at <= ?", args: [now - keptAfterExpiryMs] };
}

/** Deletes the signals that expired a week ago, with their receipts. Returns their ids. */
export async function deleteSpentSignals(sql: Sql, now: number): Promise<string[]> {
  const { query, args } = spentSignals(now);
  const ids = (await sql.values(query, args)).map(([id]) => String(id));
  if (ids.length === 0) return ids;
  const list = JSON.stringify(ids);
  await sql.run("DELETE FROM signal_receipts WHERE signal_id IN (SELECT value FROM json_each(?))", [list]);
  await sql.run("DELETE FROM signals WHERE id IN (SELECT value FROM json_each(?))", [list]);
  return ids;
}
