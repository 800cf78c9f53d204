import * as z from "zod";
import {
  FileId,
  FileText,
  FileTexts,
  FileTime,
  RedactedText,
} from "../../governance/transfer/file-fields.ts";
import { projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { TableRows } from "../../store/table-rows.ts";
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
});
