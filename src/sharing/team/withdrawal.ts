import type { Sql } from "../../store/sql.ts";

const sharedAs = { memory: ["memory", "pattern"], observation: ["observation"] } as const;

/**
 * Takes back the shared copies of records that somebody wants gone: deleted, or kept for a time that is over. A copy
 * of what merely fades stays, because it was shared to be kept.
 */
export async function withdrawCopies(
  sql: Sql,
  kind: keyof typeof sharedAs,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql.run(
    `DELETE FROM team_items WHERE item_id IN (SELECT value FROM json_each(?1))
       AND type IN (SELECT value FROM json_each(?2))`,
    [JSON.stringify(ids), JSON.stringify(sharedAs[kind])],
  );
}
