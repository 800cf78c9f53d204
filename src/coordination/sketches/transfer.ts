import * as z from "zod";
import type { Writing } from "../../governance/transfer/collection.ts";
import {
  FileId,
  FileText,
  FileTexts,
  FileTime,
  RedactedText,
} from "../../governance/transfer/file-fields.ts";
import { projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { firstColumn } from "../../store/sql.ts";
import { TableRows } from "../../store/table-rows.ts";
import { deleteActions } from "../actions/deletion.ts";
import { SketchStatus, sketchRecord } from "./record.ts";
import { sketches } from "./tables.ts";

export const sketchCollection = tableCollection({
  name: "sketches",
  rows: new TableRows(sketches, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    title: RedactedText,
    description: RedactedText.default(""),
    status: SketchStatus.default("active"),
    actionIds: FileTexts,
    project: FileText.optional(),
    projectKey: FileText.optional(),
    createdAt: FileTime,
    expiresAt: FileTime,
    promotedAt: FileTime.optional(),
    discardedAt: FileTime.optional(),
  }),
  record: (row) => ({ ...sketchRecord(row), ...projectKeyOf(row) }),
  row: async ({ project, projectKey, ...given }, writing) => ({
    ...given,
    ...(await projectFields(writing, project, projectKey)),
    promotedAt: given.promotedAt ?? null,
    discardedAt: given.discardedAt ?? null,
  }),
  changedAt: ({ promotedAt, discardedAt, createdAt }) => promotedAt ?? discardedAt ?? createdAt,
  settle: async (writing) => {
    await deleteDiscarded(writing);
    await listAdded(writing);
  },
});

/** A sketch that was discarded elsewhere is discarded here, too: its actions here are deleted. */
async function deleteDiscarded({ tx, ground, warn }: Writing): Promise<void> {
  const discarded = await firstColumn(
    tx.sql,
    `SELECT actions.id FROM sketches JOIN actions ON actions.sketch_id = sketches.id
     WHERE sketches.status = 'discarded' ORDER BY actions.id`,
  );
  if (discarded.length === 0) return;
  await deleteActions(tx, ground, discarded);
  warn("sketches: the actions of one that was discarded elsewhere were deleted");
}

/**
 * Adds to sketches the actions that refer to them but are not listed. Adding an action leaves no time on a
 * sketch that would tell which of two versions is the later, so the version that was taken may lack some.
 */
async function listAdded({ tx }: Writing): Promise<void> {
  const isAdded = `sketch_id = sketches.id AND id NOT IN (SELECT value FROM json_each(sketches.action_ids))`;
  await tx.sql.run(
    `UPDATE sketches SET action_ids = (SELECT json_group_array(id) FROM
       (SELECT value AS id FROM json_each(sketches.action_ids)
        UNION ALL SELECT id FROM (SELECT id FROM actions WHERE ${isAdded} ORDER BY created_at, id)))
     WHERE status = 'active' AND EXISTS (SELECT 1 FROM actions WHERE ${isAdded})`,
  );
}
