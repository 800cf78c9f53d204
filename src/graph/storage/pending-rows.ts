import { bulkInsert } from "../../store/bulk-insert.ts";
import type { Sql, SqlValue } from "../../store/sql.ts";
import type { SourceKind } from "./sources.ts";

/** A row that waits for its place in the graph. */
export interface PendingRow {
  readonly key: number;
  readonly kind: SourceKind;
  readonly ref: string;
  /** When it was stored. */
  readonly at: number;
  /** What the graph takes of it, as JSON. */
  readonly traits: string;
}

/** Leaves rows to be given their place in the graph later: kind, id, time and traits of each. */
export const insertPending: (sql: Sql, rows: readonly (readonly SqlValue[])[]) => Promise<void> = bulkInsert(
  "INSERT OR FAIL INTO graph_pending (kind, ref, at, traits)",
  "(?, ?, ?, ?)",
);

/** The first rows in the order of their arrival. */
export function firstPending(sql: Sql, limit: number): Promise<PendingRow[]> {
  return sql.all<PendingRow>("SELECT key, kind, ref, at, traits FROM graph_pending ORDER BY key LIMIT ?", [
    limit,
  ]);
}

/** Keys of the row that waits for longest and of the newest; undefined when none waits. */
export async function pendingKeys(
  sql: Sql,
): Promise<{ readonly first: number; readonly last: number } | undefined> {
  const [[first, last] = []] = await sql.values(
    `SELECT (SELECT key FROM graph_pending ORDER BY key LIMIT 1),
       (SELECT key FROM graph_pending ORDER BY key DESC LIMIT 1)`,
  );
  return first === null || first === undefined ? undefined : { first: Number(first), last: Number(last) };
}

export async function deletePendingUpTo(sql: Sql, key: number): Promise<void> {
  await sql.run("DELETE FROM graph_pending WHERE key <= ?", [key]);
}

/** Rows that are being deleted need no place any more. */
export async function deletePending(sql: Sql, kind: SourceKind, refs: readonly string[]): Promise<void> {
  await sql.run("DELETE FROM graph_pending WHERE kind = ? AND ref IN (SELECT value FROM json_each(?))", [
    kind,
    JSON.stringify(refs),
  ]);
}

export async function deleteAllPending(sql: Sql, kind: SourceKind): Promise<void> {
  await sql.run("DELETE FROM graph_pending WHERE kind = ?", [kind]);
}

/** How many rows wait, or a few more where some in between were deleted. */
export async function countPending(sql: Sql): Promise<number> {
  const keys = await pendingKeys(sql);
  return keys === undefined ? 0 : keys.last - keys.first + 1;
}
