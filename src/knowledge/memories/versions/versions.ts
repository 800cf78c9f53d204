import { eq } from "drizzle-orm";
import { attachSoon } from "../../../graph/structural/pending.ts";
import { markStale } from "../../../graph/upkeep/cascade.ts";
import type { Ground } from "../../../ground.ts";
import type { DocumentWords } from "../../../index/documents/document-words.ts";
import { insertDocument, putDocument, removeDocuments } from "../../../index/documents/documents.ts";
import { changedAt } from "../../../store/changed-at.ts";
import type { Transaction } from "../../../store/store.ts";
import { memoryDocument } from "../document.ts";
import { latestTextsOf } from "../duplicates/latest-texts.ts";
import type { MemoryRow } from "../record.ts";
import { mostRelated } from "../relations/relink.ts";
import { memoryRows } from "../rows.ts";
import { memories, memoryRelations } from "../tables.ts";

/**
 * Stores a new latest version with its index document and its place in the graph. `words`: its words, if they
 * were computed before.
 */
export async function insertVersion(
  tx: Transaction,
  ground: Ground,
  row: MemoryRow,
  words?: DocumentWords,
): Promise<void> {
  await memoryRows.insertMany(tx.sql, [row]);
  const { id: ref, agentId, project, projectKey, files, concepts } = row;
  attachSoon(tx, {
    ground,
    row: { kind: "memory", ref, agentId, project, projectKey, files, concepts, facts: [], libraries: [] },
  });
  insertDocument(tx, memoryDocument(row, words));
  latestTextsOf(ground.store).add(row);
}

/** Makes a memory superseded by a new version: it can still be read, but searches do not find it. */
export async function supersede(
  tx: Transaction,
  ground: Ground,
  older: MemoryRow,
  newer: MemoryRow,
): Promise<void> {
  const now = ground.now();
  await tx.orm
    .update(memories)
    .set({
      isLatest: false,
      updatedAt: changedAt(now, older.updatedAt),
      relatedIds: [newer.id, ...older.relatedIds].slice(0, mostRelated),
    })
    .where(eq(memories.id, older.id));
  await removeDocuments(tx, "memory", [older.id]);
  await markStale(tx.sql, [older.id, ...older.sourceObservationIds], now);
  await tx.orm.insert(memoryRelations).values({
    id: ground.newId("relation"),
    type: "supersedes",
    sourceId: newer.id,
    targetId: older.id,
    confidence: 1,
    createdAt: now,
  });
}

/** Makes a stored earlier version the latest again. */
export async function restoreVersion(tx: Transaction, ground: Ground, row: MemoryRow): Promise<void> {
  const updatedAt = changedAt(ground.now(), row.updatedAt);
  await tx.orm.update(memories).set({ isLatest: true, updatedAt }).where(eq(memories.id, row.id));
  await putDocument(tx.sql, memoryDocument({ ...row, isLatest: true, updatedAt }));
  latestTextsOf(ground.store).add(row);
}

/** The fields of a new version that follow from the one before it. */
export function lineage(
  older: MemoryRow,
): Pick<MemoryRow, "version" | "parentId" | "supersedes" | "relatedIds"> {
  return {
    version: older.version + 1,
    parentId: older.id,
    supersedes: [older.id, ...older.supersedes],
    relatedIds: [older.id, ...older.relatedIds].slice(0, mostRelated),
  };
}
