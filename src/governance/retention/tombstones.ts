import type { Ground } from "../../ground.ts";
import { listedColumns, type Sql } from "../../store/sql.ts";
import { dayMs } from "../../time/durations.ts";

/** How long other stores are told of a deletion. */
export const tombstoneLifeMs = 180 * dayMs;

/**
 * The kind of tombstones that are kept for ever. Other stores are not told of them; they stop forgotten
 * events from being captured again here.
 */
export const forgottenEvent = "forgottenEvent";

/**
 * The kind for memories that faded here and that nobody deleted. Other stores are told so and do not delete
 * theirs: a memory that nobody used here may be in daily use there.
 */
export const fadedMemory = "fadedMemory";

/** The kinds of tombstones for rows of a kind. */
export function tombstoneKinds(kind: string): readonly string[] {
  return kind === "memory" ? [kind, fadedMemory] : [kind];
}

/** A row that was deleted. */
export interface DeletedRow {
  readonly id: string;
  readonly projectKey?: string | null;
  /**
   * When the row was last changed. By another store's clock that may be later than now; the deletion is never
   * dated before it.
   */
  readonly updatedAt?: number;
}

/** Writes tombstones, so that other stores which still have the records can learn of the deletion. */
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

/** Drops tombstones that other stores are no longer told of; run by the daily sweep. */
export async function dropOldTombstones({ store, now }: Pick<Ground, "store" | "now">): Promise<void> {
  const old = "DELETE FROM tombstones WHERE deleted_at < ? AND kind <> ?";
  await store.write(({ sql }) => sql.run(old, [now() - tombstoneLifeMs, forgottenEvent]));
}

/** When the records with these ids were deleted here, by id. */
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

/** Removes the tombstones of records that exist again. */
export async function removeTombstones(sql: Sql, kind: string, ids: readonly string[]): Promise<void> {
  await sql.run(
    `DELETE FROM tombstones WHERE kind IN (SELECT value FROM json_each(?))
       AND id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(tombstoneKinds(kind)), JSON.stringify(ids)],
  );
}
