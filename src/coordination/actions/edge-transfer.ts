import * as z from "zod";
import type { Writing } from "../../governance/transfer/collection.ts";
import { FileId, FileTime, RedactedObject } from "../../governance/transfer/file-fields.ts";
import { FirstOfBatch } from "../../governance/transfer/first-of-batch.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import { TableRows } from "../../store/table-rows.ts";
import { deleteEdges } from "./edges.ts";
import { knownGates, reevaluate } from "./gates.ts";
import { EdgeType, edgeRecord } from "./record.ts";
import { actionEdges } from "./tables.ts";

const firsts = new FirstOfBatch();

/** Stored after the actions, checkpoints and sentinels that edges lead to. */
export const actionEdgeCollection = tableCollection({
  name: "actionEdges",
  rows: new TableRows(actionEdges, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    type: EdgeType,
    sourceActionId: FileId,
    targetActionId: FileId,
    metadata: RedactedObject.optional(),
    createdAt: FileTime,
  }),
  record: edgeRecord,
  row: async (given, writing) => {
    const { sql } = writing.tx;
    if (!(await hasBothEnds(sql, given))) return "an edge of an action that does not exist was left out";
    const twin = await firstRow(
      sql,
      `SELECT 1 FROM action_edges
       WHERE source_action_id = ? AND type = ? AND target_action_id = ? AND id <> ?`,
      [given.sourceActionId, given.type, given.targetActionId, given.id],
    );
    const ends = `${given.sourceActionId} ${given.type} ${given.targetActionId}`;
    if (twin !== undefined || firsts.idOf(writing, ends, given.id) !== given.id)
      return "an edge that is there under another id was left out";
    return { ...given, metadata: given.metadata ?? null };
  },
  changedAt: ({ createdAt }) => createdAt,
  onWritten: async (_rows, writing) => firsts.forget(writing),
  settle: async (writing) => {
    await dropDangling(writing);
    await settleGates(writing);
  },
});

interface Ends {
  readonly type: EdgeType;
  readonly sourceActionId: string;
  readonly targetActionId: string;
}

async function hasBothEnds(sql: Sql, { type, sourceActionId, targetActionId }: Ends): Promise<boolean> {
  const isAction = async (id: string) =>
    (await firstRow(sql, "SELECT 1 FROM actions WHERE id = ?", [id])) !== undefined;
  if (!(await isAction(sourceActionId))) return false;
  if (type !== "gated_by") return isAction(targetActionId);
  return (await knownGates(sql, [targetActionId])).has(targetActionId);
}

/** A replace of the actions alone may leave edges of those that went. */
async function dropDangling({ tx, warn }: Writing): Promise<void> {
  const loose = await tx.sql.all<{ id: string }>(
    `SELECT id FROM action_edges AS e
     WHERE NOT EXISTS (SELECT 1 FROM actions WHERE id = e.source_action_id)
       OR (type <> 'gated_by' AND NOT EXISTS (SELECT 1 FROM actions WHERE id = e.target_action_id))`,
  );
  const gated = await tx.sql.all<{ id: string; gateId: string }>(
    "SELECT id, target_action_id AS gateId FROM action_edges WHERE type = 'gated_by'",
  );
  const gates = await knownGates(
    tx.sql,
    gated.map(({ gateId }) => gateId),
  );
  const gone = [...loose, ...gated.filter(({ gateId }) => !gates.has(gateId))].map(({ id }) => id);
  if (gone.length === 0) return;
  await deleteEdges(tx, gone);
  warn("actionEdges: those of records that are gone were dropped");
}

/** What an action waits for may have come, gone or changed with the file. */
async function settleGates({ tx, ground }: Writing): Promise<void> {
  const waiting = await tx.sql.all<{ id: string }>(
    "SELECT id FROM actions WHERE status IN ('pending', 'blocked')",
  );
  await reevaluate(
    tx,
    ground,
    waiting.map(({ id }) => id),
  );
}
