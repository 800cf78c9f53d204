import type { Ground } from "../../ground.ts";
import type { Sql } from "../../store/sql.ts";

/** How long other stores are told of a deletion. */
export const tombstoneLifeMs = 180 * 24 * 3_600_000;

/** Notes that records were deleted, so that another store which still has them can learn of it. */
export async function buryAll(
  sql: Sql,
  kind: string,
  ids: readonly string[],
  deletedAt: number,
): Promise<void> {
  await sql.run(
    `INSERT INTO tombstones (kind, id, deleted_at) SELECT ?1, value, ?2 FROM json_each(?3) WHERE true
     ON CONFLICT (kind, id) DO UPDATE SET deleted_at = ?2`,
    [kind, deletedAt, JSON.stringify(ids)],
  );
}

/** Drops the tombstones that nobody is told of any more: the daily sweep. Returns how many. */
export async function dropOldTombstones({ store, now }: Pick<Ground, "store" | "now">): Promise<number> {
  return store.write(async ({ sql }) => {
    const { changes } = await sql.run("DELETE FROM tombstones WHERE deleted_at < ?", [
      now() - tombstoneLifeMs,
    ]);
    return changes;
  });
}
