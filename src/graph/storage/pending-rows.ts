import { bulkInsert } from "../../store/bulk-insert.ts";
import type { Sql, SqlValue } from "../../store/sql.ts";
import type { SourceKind } from "./sources.ts";

/** An observation or a memory that waits to be placed in the graph. */
interface PendingRow {
  readonly key: number;
  readonly kind: SourceKind;
  readonly ref: string;
  /** When it was stored. */
  readonly at: number;
  /** What the graph takes of it, as JSON. */
  readonly traits: string;
}

/** Stores rows that will be placed in the graph later: kind, id, time and traits of each. */
export const insertPending: (sql: Sql, rows: readonly (readonly SqlValue[])[]) => Promise<void> = bulkInsert(
  "INSERT OR FAIL INTO graph_pending (kind, ref, at, traits)",
  "(?, ?, ?, ?)",
);

/** The pending rows that arrived first, in order. */
export function firstPending(sql: Sql, limit: number): Promise<PendingRow[]> {
  return sql.all<PendingRow>("SELECT key, kind, ref, at, traits FROM graph_pending ORDER BY key LIMIT ?", [
    limit,
  ]);
}

/** Keys of the oldest and the newest pending row; undefined when there is none. */
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

/** Deletes the pending rows of observations or memories that are being deleted. */
export async function deletePending(sql: Sql, kind: SourceKind, refs: readonly string[]): Promise<void> {
  await sql.run("DELETE FROM graph_pending WHERE kind = ? AND ref IN (SELECT value FROM json_each(?))", [
    kind,
    JSON.stringify(refs),
  ]);
}

export async function deleteAllPending(sql: Sql, kind: SourceKind): Promise<void> {
  await sql.run("DELETE FROM graph_pending WHERE kind = ?", [kind]);
}

/** How many rows are pending; a few too many when some in between were deleted. */
export async function countPending(sql: Sql): Promise<number> {
  const keys = await pendingKeys(sql);
  return keys === undefined ? 0 : keys.last - keys.first + 1;
}
