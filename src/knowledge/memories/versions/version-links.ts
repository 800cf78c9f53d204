import type { Ground } from "../../../ground.ts";
import { firstColumn } from "../../../store/sql.ts";
import type { Transaction } from "../../../store/store.ts";

/** Memories whose previous version is stored but not connected to them by a relation. */
export const unlinkedVersions = `SELECT id FROM memories WHERE parent_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM memories AS parent WHERE parent.id = memories.parent_id)
  AND NOT EXISTS (SELECT 1 FROM memory_relations WHERE type = 'supersedes'
    AND source_id = memories.id AND target_id = memories.parent_id)`;

/**
 * Adds the missing relations to previous versions, for all memories or for versions that arrived. Without its
 * relation, an earlier version would count as the last of its chain. Returns the ids of the memories.
 */
export async function linkVersions(
  { sql }: Pick<Transaction, "sql">,
  { newId, now }: Pick<Ground, "newId" | "now">,
  arrived?: readonly string[],
): Promise<string[]> {
  const among = "IN (SELECT value FROM json_each(?1))";
  const ids =
    arrived === undefined
      ? await firstColumn(sql, unlinkedVersions)
      : await firstColumn(sql, `${unlinkedVersions} AND (id ${among} OR parent_id ${among})`, [
          JSON.stringify(arrived),
        ]);
  for (const id of ids) {
    await sql.run(
      `INSERT INTO memory_relations (id, type, source_id, target_id, confidence, created_at)
       SELECT ?, 'supersedes', id, parent_id, 1, ? FROM memories WHERE id = ?`,
      [newId("relation"), now(), id],
    );
  }
  return ids;
}
