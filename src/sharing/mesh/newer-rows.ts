import { deletionTimes } from "../../governance/retention/tombstones.ts";
import type { Sql } from "../../store/sql.ts";
import type { ExchangedTable } from "./exchanged-tables.ts";

/** What every row that comes in has; the rest is its collection's. */
export interface RowHead {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt?: number;
}

/**
 * The rows that are newer than what is here: unknown ones, and those that were changed later; each id once. What was
 * deleted here since is not among them.
 */
export async function newerRows<Row extends RowHead>(
  sql: Sql,
  { table, changedAt, kind, onlyIfAbsent }: ExchangedTable,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = rows.map(({ id }) => id);
  const stored = await sql.values(
    `SELECT id, ${changedAt} FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  );
  const known = new Map(stored.map(([id, time]) => [String(id), Number(time)]));
  const deleted = await deletionTimes(sql, kind, ids);
  const newest = new Map<string, Row>();
  for (const row of rows) {
    const changed = changeOf(row, changedAt);
    const other = newest.get(row.id);
    const before = Math.max(
      (onlyIfAbsent === true && known.has(row.id) ? Infinity : known.get(row.id)) ?? -Infinity,
      deleted.get(row.id) ?? -Infinity,
      other === undefined ? -Infinity : changeOf(other, changedAt),
    );
    if (changed > before) newest.set(row.id, row);
  }
  return [...newest.values()];
}

function changeOf({ createdAt, updatedAt }: RowHead, column: ExchangedTable["changedAt"]): number {
  return column === "created_at" ? createdAt : (updatedAt ?? createdAt);
}
