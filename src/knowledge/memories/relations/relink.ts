import type { Sql } from "../../../store/sql.ts";

/** How many related memories a memory lists. */
export const mostRelated = 200;

/** The ids of the memories that relations connect to the row's memory. */
const partners = `(SELECT target_id AS id FROM memory_relations WHERE source_id = memories.id
  UNION SELECT source_id FROM memory_relations WHERE target_id = memories.id)`;

/**
 * Adds to memories' lists of related ones those that stored relations connect them to, for rows that came
 * from elsewhere.
 */
export async function relinkRelated(sql: Sql, memoryIds: readonly string[]): Promise<void> {
  const listed = "(SELECT value FROM json_each(related_ids))";
  await sql.run(
    `UPDATE memories SET related_ids = (SELECT json_group_array(id) FROM (
         SELECT value AS id, key AS place FROM json_each(related_ids)
         UNION ALL SELECT id, ${mostRelated} FROM ${partners} WHERE id NOT IN ${listed}
         ORDER BY place, id LIMIT ${mostRelated}))
     WHERE id IN (SELECT value FROM json_each(?)) AND EXISTS (SELECT 1 FROM ${partners} WHERE id NOT IN ${listed})`,
    [JSON.stringify(memoryIds)],
  );
}
