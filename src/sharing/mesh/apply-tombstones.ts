import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { deletions } from "./deletions.ts";
import { exchangedTables } from "./exchanged-tables.ts";
import type { TombstoneRow } from "./incoming.ts";

/**
 * Deletes rows that were deleted elsewhere, unless they were changed here since, and keeps the tombstones so
 * that other peers learn of the deletion. All tombstones are of one kind. Returns the ids of the tombstones
 * that changed something (`changed`) and the ids of the deleted rows (`gone`).
 */
export async function applyTombstones(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  kind: string,
  rows: readonly TombstoneRow[],
): Promise<{ changed: string[]; gone: ReadonlySet<string> }> {
  const exchange = exchangedTables.find((one) => one.kind === kind);
  if (exchange === undefined) return { changed: [], gone: new Set() };
  const { table, changedAt, project } = exchange;
  const deletedAt = latestTimes(rows);
  const ids = JSON.stringify([...deletedAt.keys()]);
  const known = await tx.sql.values(
    `SELECT id, deleted_at FROM tombstones WHERE kind = ?2 AND id IN (SELECT value FROM json_each(?1))`,
    [ids, kind],
  );
  const before = new Map(known.map(([id, time]) => [String(id), Number(time)]));
  const stored = await tx.sql.values(
    `SELECT id, ${changedAt}, ${project} FROM ${table} AS r WHERE id IN (SELECT value FROM json_each(?1))`,
    [ids],
  );
  const projects = new Map(stored.map(([id, , key]) => [String(id), key]));
  const doomed = stored.flatMap(([id, time]) =>
    Number(time) <= (deletedAt.get(String(id)) ?? -Infinity) ? [String(id)] : [],
  );
  const gone = new Set(doomed.length === 0 ? [] : await deletions.get(kind)?.(tx, ground, doomed));
  const changed: string[] = [];
  for (const [id, time] of deletedAt) {
    const earlier = before.get(id) ?? -Infinity;
    if (time <= earlier && !gone.has(id)) continue;
    changed.push(id);
    // Deleting the row here has written a tombstone with the present time. The time of the original deletion
    // replaces it; the later time would win over changes that were made elsewhere after that deletion.
    await tx.sql.run(
      `INSERT INTO tombstones (kind, id, deleted_at, project_key) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (kind, id) DO UPDATE SET deleted_at = ?3, project_key = coalesce(project_key, ?4)`,
      [kind, id, Math.max(time, earlier), projects.get(id) ?? null],
    );
  }
  return { changed, gone };
}

function latestTimes(rows: readonly TombstoneRow[]): Map<string, number> {
  const latest = new Map<string, number>();
  for (const { id, deletedAt } of rows) latest.set(id, Math.max(deletedAt, latest.get(id) ?? -Infinity));
  return latest;
}
