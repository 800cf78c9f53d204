import { removeDocuments } from "../../index/documents/documents.ts";
import { firstColumn } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";

/**
 * Deletes the insights that were drawn from any of these memories, facts and lessons, because insights
 * repeat what their sources say. Later runs draw them again from what is left. Returns their ids.
 */
export async function deleteInsightsFrom(tx: Transaction, sourceIds: readonly string[]): Promise<string[]> {
  if (sourceIds.length === 0) return [];
  const gone = await firstColumn(
    tx.sql,
    `WITH lost(id) AS MATERIALIZED (SELECT value FROM json_each(?))
     DELETE FROM insights WHERE EXISTS (SELECT 1 FROM json_each(source_memory_ids) WHERE value IN lost)
       OR EXISTS (SELECT 1 FROM json_each(source_lesson_ids) WHERE value IN lost)
     RETURNING id`,
    [JSON.stringify(sourceIds)],
  );
  await removeDocuments(tx, "insight", gone);
  return gone;
}
