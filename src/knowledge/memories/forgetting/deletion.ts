import { sql as text } from "drizzle-orm";
import { dropFacetsOf } from "../../../coordination/facets/deletion.ts";
import { fadedMemory, writeTombstones } from "../../../governance/retention/tombstones.ts";
import { detachRows } from "../../../graph/storage/detach.ts";
import { removeDocuments } from "../../../index/documents/documents.ts";
import { withdrawCopies } from "../../../sharing/team/withdrawal.ts";
import type { Transaction } from "../../../store/store.ts";
import { deleteDerivedFromMemories } from "../../sources/delete-derived.ts";
import type { MemoryRow } from "../record.ts";
import { memories } from "../tables.ts";
import { replaceOutlivedTitles } from "../titles/outlived-titles.ts";

/**
 * What is returned of a deleted memory. Without its text: many at once might exceed the answer size of a
 * database server.
 */
export type DeletedMemory = Pick<MemoryRow, "id" | "projectKey" | "updatedAt">;

/**
 * The only way to delete memories on purpose: removes row, index document, place in the graph, relations,
 * facets, access log, copies shared with a team, and what was derived from it alone; leaves a tombstone.
 * Returns the deleted rows (`gone`) and the ids of derived records (`derived`).
 */
export async function deleteMemories(
  tx: Transaction,
  ids: readonly string[],
  now: number,
): Promise<{ readonly gone: DeletedMemory[]; readonly derived: string[] }> {
  const gone = await deleteRows(tx, ids, { buriedAs: "memory", now });
  const goneIds = gone.map(({ id }) => id);
  await withdrawCopies(tx.sql, "memory", goneIds);
  return { gone, derived: await deleteDerivedFromMemories(tx, goneIds, now) };
}

/**
 * Deletes memories that faded and that nobody asked to delete. Their shared copies and derived records stay:
 * they were made to be kept.
 */
export function deleteDecayed(
  tx: Transaction,
  ids: readonly string[],
  now: number,
): Promise<DeletedMemory[]> {
  return deleteRows(tx, ids, { buriedAs: fadedMemory, now });
}

async function deleteRows(
  tx: Transaction,
  ids: readonly string[],
  { buriedAs, now }: { readonly buriedAs: string; readonly now: number },
): Promise<DeletedMemory[]> {
  await replaceOutlivedTitles(tx, ids, now);
  const gone = await tx.orm
    .delete(memories)
    // All ids as one JSON value: the number of parameters of a statement is limited.
    .where(text`${memories.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .returning({ id: memories.id, projectKey: memories.projectKey, updatedAt: memories.updatedAt });
  if (gone.length === 0) return gone;
  const goneIds = gone.map(({ id }) => id);
  const list = JSON.stringify(goneIds);
  await tx.sql.run(
    // Looks at all rows: newer versions inherit the related memories of earlier ones, so relations may be
    // found in rows that no relation leads to.
    `WITH gone(id) AS MATERIALIZED (SELECT value FROM json_each(?))
     UPDATE memories SET related_ids =
       (SELECT json_group_array(value) FROM json_each(related_ids) WHERE value NOT IN gone)
     WHERE related_ids <> '[]' AND EXISTS (SELECT 1 FROM json_each(related_ids) WHERE value IN gone)`,
    [list],
  );
  await tx.sql.run(
    `DELETE FROM memory_relations WHERE source_id IN (SELECT value FROM json_each(?1))
       OR target_id IN (SELECT value FROM json_each(?1))`,
    [list],
  );
  await tx.sql.run("DELETE FROM access_logs WHERE memory_id IN (SELECT value FROM json_each(?))", [list]);
  await dropFacetsOf(tx.sql, "memory", goneIds);
  await removeDocuments(tx, "memory", goneIds);
  await detachRows(tx.sql, "memory", goneIds, now);
  await writeTombstones(tx.sql, buriedAs, gone, now);
  return gone;
}
