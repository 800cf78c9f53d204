import type { Sql } from "../../store/sql.ts";
import type { Exchanged } from "./exchanged.ts";

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
export async function newerThanHere<Row extends RowHead>(
  sql: Sql,
  { table, changedAt, kind, onlyIfAbsent }: Exchanged,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const among = "IN (SELECT value FROM json_each(?1))";
  const known = await timesOf(sql, `SELECT id, ${changedAt} FROM ${table} WHERE id ${among}`, [ids]);
  const deleted = await timesOf(
    sql,
    `SELECT id, deleted_at FROM tombstones WHERE id ${among} AND kind = ?2`,
    [ids, kind],
  );
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

function changeOf({ createdAt, updatedAt }: RowHead, column: Exchanged["changedAt"]): number {
  return column === "created_at" ? createdAt : (updatedAt ?? createdAt);
}

async function timesOf(sql: Sql, query: string, args: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql.values(query, [...args]);
  return new Map(rows.map(([id, time]) => [String(id), Number(time)]));
}
