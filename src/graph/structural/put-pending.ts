import type { Ground } from "../../ground.ts";
import { sqliteCode } from "../../store/faults.ts";
import type { Sql } from "../../store/sql.ts";
import { deletePendingUpTo, firstPending } from "../storage/pending-rows.ts";
import { type AttachedRow, attachRows } from "./attach.ts";

/** Places the first pending rows in the graph; returns how many there were. */
export async function putPending(
  sql: Sql,
  { newId }: Pick<Ground, "newId">,
  most = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const rows = await firstPending(sql, most);
  const last = rows.at(-1);
  if (last === undefined) return 0;
  const attached = rows.map(({ traits }) => JSON.parse(traits) as AttachedRow);
  await attachRows(sql, { newId, now: () => last.at }, attached);
  await deletePendingUpTo(sql, last.key);
  return rows.length;
}

/**
 * The same in a transaction of its own; `isAll` tells whether none is left. A row that cannot be placed is dropped, so
 * that it does not hold up the rows behind it. Errors: those of the store.
 */
export async function putSome(ground: Ground, most: number): Promise<{ put: number; isAll: boolean }> {
  try {
    // The transaction may be dropped: the rows then stay pending and are found at the next try.
    const put = await ground.store.write((tx) => putPending(tx.sql, ground, most), { dispensable: true });
    return { put, isAll: put < most };
  } catch (error) {
    if (!isOfRow(error)) throw error;
    if (most > 1) return putSome(ground, 1);
    await dropFirst(ground, error);
    return { put: 1, isAll: false };
  }
}

/** Whether the row is at fault, and not the store or the connection to it. */
function isOfRow(error: unknown): boolean {
  return error instanceof SyntaxError || sqliteCode(error)?.startsWith("SQLITE_CONSTRAINT") === true;
}

async function dropFirst({ store, log }: Ground, reason: unknown): Promise<void> {
  const [first] = await firstPending(store.read.sql, 1);
  if (first === undefined) return;
  const { kind, ref, key } = first;
  log("error", "a record gets no place in the graph", {
    kind,
    ref,
    reason: sqliteCode(reason) ?? "unreadable",
  });
  await store.write((tx) => deletePendingUpTo(tx.sql, key));
}
