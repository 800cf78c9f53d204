import * as z from "zod";
import type { Writing } from "../../governance/transfer/collection.ts";
import {
  FileId,
  FileText,
  FileTexts,
  FileTime,
  RedactedObject,
  RedactedTags,
  RedactedText,
  united,
} from "../../governance/transfer/file-fields.ts";
import { projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { firstRow, hasRow } from "../../store/sql.ts";
import { TableRows } from "../../store/table-rows.ts";
import { ActionStatus, actionRecord, BlockReason, isFinished, usualPriority } from "./record.ts";
import { actions } from "./tables.ts";

export const actionCollection = tableCollection({
  name: "actions",
  rows: new TableRows(actions, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    title: RedactedText,
    description: RedactedText.default(""),
    status: ActionStatus.default("pending"),
    blockReason: BlockReason.optional(),
    priority: z.number().int().min(1).max(10).default(usualPriority),
    createdBy: FileId.optional(),
    assignedTo: FileId.optional(),
    project: FileText.optional(),
    projectKey: FileText.optional(),
    tags: RedactedTags,
    sourceObservationIds: FileTexts,
    sourceMemoryIds: FileTexts,
    result: RedactedText.optional(),
    parentId: FileId.optional(),
    metadata: RedactedObject.optional(),
    sketchId: FileId.optional(),
    crystallizedInto: FileId.optional(),
    createdAt: FileTime,
    updatedAt: FileTime.optional(),
    completedAt: FileTime.optional(),
  }),
  record: (row) => ({ ...actionRecord(row), ...projectKeyOf(row) }),
  row: async ({ project, projectKey, ...given }, writing) => {
    if (await isOfDiscardedSketch(writing, given)) return "an action of a discarded sketch was left out";
    if (given.status === "blocked" && given.blockReason === "edges") writing.waitingActions.add(given.id);
    const updatedAt = given.updatedAt ?? given.createdAt;
    const tied = writing.strategy === "newest" ? await tiesOf(writing, given.id) : undefined;
    return {
      ...given,
      ...(await projectFields(writing, project, projectKey)),
      blockReason: given.status === "blocked" ? (given.blockReason ?? untoldReason(writing)) : null,
      createdBy: given.createdBy ?? null,
      assignedTo: given.assignedTo ?? null,
      result: given.result ?? null,
      parentId: parentIn(given, writing) ?? tied?.parentId ?? null,
      metadata: given.metadata ?? null,
      sketchId: given.sketchId ?? null,
      crystallizedInto: given.crystallizedInto ?? tied?.crystallizedInto ?? null,
      updatedAt,
      completedAt: isFinished(given) ? (given.completedAt ?? updatedAt) : null,
    };
  },
  changedAt: ({ updatedAt }) => updatedAt,
  tombstones: {
    kind: "action",
    changed: (row, updatedAt) => ({ ...row, updatedAt }),
  },
  unite: (kept, other) => ({ ...kept, tags: united(kept.tags, other.tags) }),
  settle: (writing) => dropLooseLinks(writing),
});

function parentIn(
  { id, parentId }: { readonly id: string; readonly parentId?: string | undefined },
  { warn }: Writing,
): string | undefined {
  if (parentId !== id) return parentId;
  warn("actions: an action that is its own parent was taken without one");
  return undefined;
}

/** Whether gates block an action that a file calls blocked without a reason shows once its edges are stored. */
function untoldReason({ strategy }: Writing): BlockReason | null {
  return strategy === "newest" ? "manual" : null;
}

/**
 * The parent and the crystal of an action here. A peer that does not have them sends the action without,
 * which must not clear them.
 */
async function tiesOf({ tx }: Writing, id: string) {
  return firstRow<{ parentId: string | null; crystallizedInto: string | null }>(
    tx.sql,
    "SELECT parent_id AS parentId, crystallized_into AS crystallizedInto FROM actions WHERE id = ?",
    [id],
  );
}

async function isOfDiscardedSketch(
  { tx }: Writing,
  { sketchId }: { readonly sketchId?: string | undefined },
): Promise<boolean> {
  if (sketchId === undefined) return false;
  return hasRow(tx.sql, "SELECT 1 FROM sketches WHERE id = ? AND status = 'discarded'", [sketchId]);
}

/**
 * Clears links to a parent, crystal or sketch that does not exist, in all actions or in those that arrived.
 * Links to a sketch that is no longer active are cleared too: otherwise nobody would ever see its actions.
 */
export async function dropLooseLinks({ tx, warn }: Writing, arrived?: readonly string[]): Promise<void> {
  const among = arrived === undefined ? "true" : "id IN (SELECT value FROM json_each(?1))";
  const args = arrived === undefined ? [] : [JSON.stringify(arrived)];
  const orphans = await tx.sql.run(
    `UPDATE actions SET parent_id = NULL WHERE ${among} AND parent_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM actions AS parent WHERE parent.id = actions.parent_id)`,
    args,
  );
  if (orphans.changes > 0) warn("actions: a parent that does not exist was left out");
  const sketched = await tx.sql.run(
    `UPDATE actions SET sketch_id = NULL WHERE ${among} AND sketch_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM sketches WHERE id = actions.sketch_id AND status = 'active')`,
    args,
  );
  if (sketched.changes > 0) warn("actions: a sketch that is not active was left out");
  const condensed = await tx.sql.run(
    `UPDATE actions SET crystallized_into = NULL WHERE ${among} AND crystallized_into IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM crystals WHERE id = actions.crystallized_into)`,
    args,
  );
  if (condensed.changes > 0) warn("actions: a crystal that does not exist was left out");
}
