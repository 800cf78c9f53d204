import type { Sql } from "../../store/sql.ts";

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
