import { tombstoneLifeMs } from "../../governance/retention/tombstones.ts";
import type { Ground } from "../../ground.ts";
import { hasRow, type Sql } from "../../store/sql.ts";

/** Stands for rows that came in such numbers that they are not noted one by one. */
const anything = "*";

/** Notes that rows came from elsewhere, so that those who ask for what is new are given them too. */
export async function noteArrivals(
  sql: Sql,
  kind: string,
  ids: readonly string[],
  { now, peerId }: { readonly now: number; readonly peerId: string | undefined },
): Promise<void> {
  if (ids.length === 0) return;
  await sql.run(
    `INSERT INTO mesh_arrivals (kind, id, arrived_at, peer_id) SELECT ?1, value, ?2, ?3 FROM json_each(?4) WHERE true
     ON CONFLICT (kind, id) DO UPDATE SET arrived_at = ?2, peer_id = ?3`,
    [kind, now, peerId ?? null, JSON.stringify(ids)],
  );
}

/** Notes that a file was taken in: whatever it held is new to those who ask. */
export function noteFileArrived(sql: Sql, now: number): Promise<void> {
  return noteArrivals(sql, anything, [anything], { now, peerId: undefined });
}

/** From when on rows count as new, for one who knows those until `since`; undefined for one who has to be given all. */
export async function newSince(sql: Sql, since: number | undefined): Promise<number | undefined> {
  if (since === undefined) return undefined;
  const files = "SELECT 1 FROM mesh_arrivals WHERE kind = ? AND arrived_at >= ?";
  return (await hasRow(sql, files, [anything, since])) ? undefined : since;
}

/** The ids of rows of a kind that came since ?1, but for those from the peer ?3, as a subquery. */
export function arrivedSince(kind: string): string {
  return `(SELECT id FROM mesh_arrivals WHERE kind = '${kind}' AND arrived_at >= ?1
    AND (?3 IS NULL OR peer_id IS NOT ?3))`;
}

/**
 * Drops what was noted longer ago than deletions are told of: the daily sweep. Whoever has not asked since then is given
 * all, as after a file. Returns how many.
 */
export async function dropOldArrivals({ store, now }: Pick<Ground, "store" | "now">): Promise<number> {
  return store.write(async ({ sql }) => {
    await sql.run(
      `INSERT INTO mesh_arrivals (kind, id, arrived_at)
         SELECT '${anything}', '${anything}', newest
         FROM (SELECT max(arrived_at) AS newest FROM mesh_arrivals WHERE arrived_at < ?) WHERE newest IS NOT NULL
       ON CONFLICT (kind, id) DO UPDATE SET arrived_at = max(arrived_at, excluded.arrived_at)`,
      [now() - tombstoneLifeMs],
    );
    const { changes } = await sql.run(
      `DELETE FROM mesh_arrivals WHERE kind <> '${anything}' AND arrived_at <=
         (SELECT arrived_at FROM mesh_arrivals WHERE kind = '${anything}')`,
    );
    return changes;
  });
}
