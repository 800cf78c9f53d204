import { inArray } from "drizzle-orm";
import { firstColumn, type Sql } from "../../../store/sql.ts";
import type { Transaction } from "../../../store/store.ts";
import { memories } from "../tables.ts";
import { countsAsRecall, recalledCurve, recallSpacingMs } from "./strength.ts";

const recentKept = 20;

/** Records recalls of memories, at most once an hour each: strengthens them and updates their access log. */
export async function recordRecalls(tx: Transaction, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.orm
    .select()
    .from(memories)
    .where(inArray(memories.id, [...ids]));
  for (const row of rows.filter(({ lastRecalledAt }) => countsAsRecall(lastRecalledAt, now))) {
    const curve = recalledCurve(row, now);
    await tx.sql.run(
      `UPDATE memories SET strength_anchor = ?1, strength_anchor_at = ?2, stability_days = ?3,
         recall_count = recall_count + 1, last_recalled_at = ?2 WHERE id = ?4`,
      [curve.strengthAnchor, now, curve.stabilityDays, row.id],
    );
  }
  await recordAccess(tx, ids, now);
}

/** The memories and observations among these that were not handed out within the last hour. */
export async function dueForAccess(sql: Sql, ids: readonly string[], now: number): Promise<string[]> {
  return firstColumn(
    sql,
    `SELECT value AS id FROM json_each(?1)
     WHERE NOT EXISTS
         (SELECT 1 FROM access_logs WHERE memory_id = value AND abs(?2 - last_at) < ${recallSpacingMs})
       OR EXISTS (SELECT 1 FROM memories WHERE id = value
         AND (last_recalled_at IS NULL OR abs(?2 - last_recalled_at) >= ${recallSpacingMs}))`,
    [JSON.stringify(ids), now],
  );
}

/**
 * Logs that memories or observations were handed out, at most once an hour each; ids deleted since are
 * ignored.
 */
export async function recordAccess(tx: Transaction, ids: readonly string[], now: number): Promise<void> {
  await tx.sql.run(
    `INSERT INTO access_logs (memory_id, count, last_at, recent)
     SELECT value, 1, ?2, json_array(?2) FROM json_each(?1)
     WHERE EXISTS (SELECT 1 FROM memories WHERE id = value) OR EXISTS (SELECT 1 FROM observations WHERE id = value)
     ON CONFLICT (memory_id) DO UPDATE SET count = count + 1, last_at = ?2, recent =
       (SELECT json_group_array(value) FROM (SELECT ?2 AS value UNION ALL
         SELECT value FROM json_each(access_logs.recent) LIMIT ${recentKept}))
     WHERE abs(?2 - last_at) >= ${recallSpacingMs}`,
    [JSON.stringify(ids), now],
  );
}
