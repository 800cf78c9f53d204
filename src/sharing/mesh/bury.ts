import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { deletions } from "./deletions.ts";
import { exchanged } from "./exchanged.ts";
import type { TombstoneRow } from "./incoming.ts";

/**
 * Deletes what was deleted elsewhere, unless it was changed here since, and keeps the tombstones for others to learn
 * of it. Returns those that changed something.
 */
export async function buryReceived(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  rows: readonly TombstoneRow[],
): Promise<TombstoneRow[]> {
  const changed: TombstoneRow[] = [];
  for (const { kind, table, changedAt } of exchanged) {
    const remove = deletions.get(kind);
    const own = latestOf(rows.filter((row) => row.kind === kind));
    if (remove === undefined || own.size === 0) continue;
    const ids = JSON.stringify([...own.keys()]);
    const known = await tx.sql.values(
      `SELECT id, deleted_at FROM tombstones WHERE kind = ?2 AND id IN (SELECT value FROM json_each(?1))`,
      [ids, kind],
    );
    const before = new Map(known.map(([id, time]) => [String(id), Number(time)]));
    const stored = await tx.sql.values(
      `SELECT id, ${changedAt} FROM ${table} WHERE id IN (SELECT value FROM json_each(?1))`,
      [ids],
    );
    const doomed = stored.flatMap(([id, time]) => {
      const deletedAt = own.get(String(id))?.deletedAt ?? -Infinity;
      return Number(time) <= deletedAt ? [String(id)] : [];
    });
    if (doomed.length > 0) await remove(tx, ground, doomed);
    const gone = new Set(doomed);
    for (const row of own.values()) {
      const earlier = before.get(row.id) ?? -Infinity;
      if (row.deletedAt <= earlier && !gone.has(row.id)) continue;
      changed.push(row);
      // The deletion here has noted its own time, which would outlive changes elsewhere.
      await tx.sql.run(
        `INSERT INTO tombstones (kind, id, deleted_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (kind, id) DO UPDATE SET deleted_at = ?3`,
        [kind, row.id, Math.max(row.deletedAt, earlier)],
      );
    }
  }
  return changed;
}

function latestOf(rows: readonly TombstoneRow[]): Map<string, TombstoneRow> {
  const latest = new Map<string, TombstoneRow>();
  for (const row of rows) {
    const other = latest.get(row.id);
    if (other === undefined || other.deletedAt < row.deletedAt) latest.set(row.id, row);
  }
  return latest;
}
