import * as z from "zod";
import type { Writing } from "../../../governance/transfer/collection.ts";
import { FileId, FileTime } from "../../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../../governance/transfer/table-collection.ts";
import { hasRow } from "../../../store/sql.ts";
import { TableRows } from "../../../store/table-rows.ts";
import { memoryRelations } from "../tables.ts";
import { linkVersions } from "../versions/version-links.ts";
import { RelationType, relationRecord } from "./record.ts";

export const relationCollection = tableCollection({
  name: "relations",
  rows: new TableRows(memoryRelations, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    type: RelationType,
    sourceId: FileId,
    targetId: FileId,
    confidence: z.number().min(0).max(1).default(1),
    createdAt: FileTime,
  }),
  record: relationRecord,
  row: async (given, { tx }) => {
    if (given.sourceId === given.targetId) return "a relation of a memory to itself was left out";
    const isMissing = await hasRow(
      tx.sql,
      `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM memories WHERE id = ?)
         OR NOT EXISTS (SELECT 1 FROM memories WHERE id = ?)`,
      [given.sourceId, given.targetId],
    );
    if (isMissing) return "a relation of a memory that does not exist was left out";
    const hasTwin = await hasRow(
      tx.sql,
      "SELECT 1 FROM memory_relations WHERE source_id = ? AND target_id = ? AND type = ? AND id <> ?",
      [given.sourceId, given.targetId, given.type, given.id],
    );
    return hasTwin ? "a relation that is there under another id was left out" : given;
  },
  changedAt: ({ createdAt }) => createdAt,
  tombstones: {
    kind: "relation",
    changed: (row, createdAt) => ({ ...row, createdAt }),
  },
  settle: async (writing) => {
    await dropDangling(writing);
    await linkVersions(writing.tx, writing.ground);
  },
});

/** An import that replaces only the memories may leave relations of deleted ones. */
async function dropDangling({ tx, warn }: Writing): Promise<void> {
  const { changes } = await tx.sql.run(
    `DELETE FROM memory_relations WHERE NOT EXISTS (SELECT 1 FROM memories WHERE id = source_id)
       OR NOT EXISTS (SELECT 1 FROM memories WHERE id = target_id)`,
  );
  if (changes > 0) warn("relations: those of memories that are gone were dropped");
}
