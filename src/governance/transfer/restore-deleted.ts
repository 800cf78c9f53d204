import { deletionTimes, removeTombstones } from "../retention/tombstones.ts";
import type { Writing } from "./collection.ts";

/** A row that is about to be stored, by the name that its tombstone would have. */
interface RestoredRow {
  readonly id: string;
  readonly updatedAt: number;
}

/**
 * What a file brings back after it was deleted here is told to other stores as changed since: else it would go again
 * with the next exchange. Takes its tombstones away and returns since when it is changed, by id. What another store sends
 * is older than no deletion here.
 */
export async function restoreDeleted(
  { tx: { sql }, ground, strategy }: Pick<Writing, "tx" | "ground" | "strategy">,
  kind: string,
  rows: readonly RestoredRow[],
): Promise<Map<string, number>> {
  const back = new Map<string, number>();
  if (strategy === "newest") return back;
  const ids = rows.map(({ id }) => id);
  const deleted = await deletionTimes(sql, kind, ids);
  for (const { id, updatedAt } of rows) {
    const deletedAt = deleted.get(id);
    if (deletedAt !== undefined && deletedAt >= updatedAt)
      back.set(id, Math.max(ground.now(), deletedAt + 1));
  }
  if (back.size > 0) await removeTombstones(sql, kind, [...back.keys()]);
  return back;
}
