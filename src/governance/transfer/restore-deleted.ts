import { deletionTimes, removeTombstones } from "../retention/tombstones.ts";
import type { Writing } from "./collection.ts";

/** A row that is about to be stored, with its id in tombstones. */
interface RestoredRow {
  readonly id: string;
  readonly updatedAt: number;
}

/**
 * For rows of a file that were deleted here: they count as changed after the deletion, or the next exchange
 * with another store would delete them again. Removes their tombstones and returns their new times of change,
 * by id. Does nothing for rows from another store (`newest`), which were compared with the deletions before.
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
