import { deletionTimes } from "../../governance/retention/tombstones.ts";
import type { Sql } from "../../store/sql.ts";
import type { ExchangedTable } from "./exchanged-tables.ts";

/** The fields that every incoming row has; its collection knows the others. */
export interface RowHead {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt?: number;
}

/**
 * The rows that are unknown here or were changed later than the stored ones, each id once. Rows that were
 * deleted here after their last change are left out.
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
