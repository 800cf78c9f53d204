import type { Ground } from "../../ground.ts";
import { listedColumns, type Sql } from "../../store/sql.ts";
import { dayMs } from "../../time/durations.ts";

/** How long other stores are told of a deletion. */
export const tombstoneLifeMs = 180 * dayMs;

/** The kind of those that are kept for good: of no use to other stores, they keep out what somebody forgot here. */
export const forgottenEvent = "forgottenEvent";

/**
 * The kind of memories that faded here and that nobody deleted: other stores are told so, and let theirs fade by
 * themselves, since what nobody asked for here may be in daily use there.
 */
export const fadedMemory = "fadedMemory";

/** The kinds under which tombstones of a kind of rows are kept. */
export function tombstoneKinds(kind: string): readonly string[] {
  return kind === "memory" ? [kind, fadedMemory] : [kind];
}

/** A row that is gone. */
export interface DeletedRow {
  readonly id: string;
  readonly projectKey?: string | null;
  /** When it was last changed: by another store's clock that may be later than now, and a deletion is no earlier. */
  readonly updatedAt?: number;
}

/** Notes that records were deleted, so that another store which still has them can learn of it. */
export async function writeTombstones(
  sql: Sql,
  kind: string,
  rows: readonly DeletedRow[],
  now: number,
): Promise<void> {
  const values = rows.map(({ id, projectKey = null, updatedAt = now }) => [
    id,
    Math.max(now, updatedAt),
    projectKey,
  ]);
  await sql.run(
    `INSERT INTO tombstones (kind, id, deleted_at, project_key)
     SELECT ?1, ${listedColumns(3)} FROM json_each(?2) WHERE true
     ON CONFLICT (kind, id) DO UPDATE SET deleted_at = excluded.deleted_at, project_key = excluded.project_key`,
    [kind, JSON.stringify(values)],
  );
}

/** Drops the tombstones that nobody is told of any more: the daily sweep. Returns how many. */
export async function dropOldTombstones({ store, now }: Pick<Ground, "store" | "now">): Promise<number> {
  return store.write(async ({ sql }) => {
    const { changes } = await sql.run("DELETE FROM tombstones WHERE deleted_at < ? AND kind <> ?", [
      now() - tombstoneLifeMs,
      forgottenEvent,
    ]);
    return changes;
  });
}

/** When what bears an id was deleted here, by id. */
export async function deletionTimes(
  sql: Sql,
  kind: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql.values(
    `SELECT id, max(deleted_at) FROM tombstones WHERE kind IN (SELECT value FROM json_each(?))
       AND id IN (SELECT value FROM json_each(?)) GROUP BY id`,
    [JSON.stringify(tombstoneKinds(kind)), JSON.stringify(ids)],
  );
  return new Map(rows.map(([id, time]) => [String(id), Number(time)]));
}

/** Takes back that records were deleted, since they are there again. */
export async function removeTombstones(sql: Sql, kind: string, ids: readonly string[]): Promise<void> {
  await sql.run(
    `DELETE FROM tombstones WHERE kind IN (SELECT value FROM json_each(?))
       AND id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(tombstoneKinds(kind)), JSON.stringify(ids)],
  );
}
