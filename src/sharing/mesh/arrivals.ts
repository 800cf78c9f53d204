import { tombstoneLifeMs } from "../../governance/retention/tombstones.ts";
import type { Ground } from "../../ground.ts";
import { hasRow, type Sql } from "../../store/sql.ts";

/**
 * Stands for any row: for those of an import, which are too many to be noted one by one, and for those whose
 * notes were dropped.
 */
const anything = "*";

/** Notes that rows came from elsewhere, so that peers who ask for recent changes are given them too. */
export async function noteArrivals(
  sql: Sql,
  kind: string,
  ids: readonly string[],
  { now, peerId }: { readonly now: number; readonly peerId: string | undefined },
): Promise<void> {
  if (ids.length === 0) return;
  await sql.run(
    `INSERT INTO mesh_arrivals (kind, id, arrived_at, peer_id) SELECT ?1, value, ?2, ?3 FROM json_each(?4) WHERE true
     ON CONFLICT (kind, id) DO UPDATE SET arrived_at = max(arrived_at, ?2), peer_id = ?3`,
    [kind, now, peerId ?? null, JSON.stringify(ids)],
  );
}

/** Makes all rows count as new for peers who know what there was at the given time, as after an import. */
export function noteAllArrived(sql: Sql, at: number): Promise<void> {
  return noteArrivals(sql, anything, [anything], { now: at, peerId: undefined });
}

/**
 * The time from which rows count as new for a peer that knows all rows until `since`; undefined when the peer
 * has to be given everything.
 */
export async function newSince(sql: Sql, since: number | undefined): Promise<number | undefined> {
  if (since === undefined) return undefined;
  const all = "SELECT 1 FROM mesh_arrivals WHERE kind = ? AND arrived_at >= ?";
  return (await hasRow(sql, all, [anything, since])) ? undefined : since;
}

/** A subquery: the ids of rows of a kind that arrived since ?1, without those that came from the peer ?3. */
export function arrivedSince(kind: string): string {
  return `(SELECT id FROM mesh_arrivals WHERE kind = '${kind}' AND arrived_at >= ?1
    AND (?3 IS NULL OR peer_id IS NOT ?3))`;
}

/**
 * Drops notes that are older than tombstones are kept; run by the daily sweep. A peer that has not asked
 * since then is given everything, as after an import.
 */
export async function dropOldArrivals({ store, now }: Pick<Ground, "store" | "now">): Promise<void> {
  await store.write(async ({ sql }) => {
    await sql.run(
      `INSERT INTO mesh_arrivals (kind, id, arrived_at)
         SELECT '${anything}', '${anything}', newest
         FROM (SELECT max(arrived_at) AS newest FROM mesh_arrivals WHERE arrived_at < ?) WHERE newest IS NOT NULL
       ON CONFLICT (kind, id) DO UPDATE SET arrived_at = max(arrived_at, excluded.arrived_at)`,
      [now() - tombstoneLifeMs],
    );
    await sql.run(
      `DELETE FROM mesh_arrivals WHERE kind <> '${anything}' AND arrived_at <=
         (SELECT arrived_at FROM mesh_arrivals WHERE kind = '${anything}')`,
    );
  });
}
