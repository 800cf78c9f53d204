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
import { FileShare, FileStrength } from "../decay/file-strength.ts";
import { statementKey } from "../statements/statement-key.ts";
import { factRecord } from "./record.ts";
import { factRows } from "./rows.ts";

/** `strength` is the present strength; `strengthAnchor` that of the last access. */
export const factCollection = tableCollection({
  name: "semanticMemories",
  rows: factRows,
  schema: z.object({
    id: FileId,
    fact: RedactedText,
    confidence: FileShare.default(0.5),
    project: FileText.optional(),
    projectKey: FileText.optional(),
    agentId: FileId.optional(),
    sourceSessionIds: FileTexts,
    sourceMemoryIds: FileTexts,
    accessCount: z.number().int().min(0).default(0),
    lastAccessedAt: FileTime.optional(),
    strength: FileStrength,
    strengthAnchor: FileShare.optional(),
    provider: RedactedText.default("extractive"),
    createdAt: FileTime,
    updatedAt: FileTime.optional(),
  }),
  words: "fact",
  record: (row, { now, settings }) => ({
    ...factRecord(row, now, settings.consolidationDecayDays),
    ...projectKeyOf(row),
    strengthAnchor: row.strength,
  }),
  row: async ({ strength, strengthAnchor, project, projectKey, ...given }, writing) => ({
    ...given,
    ...(await projectFields(writing, project, projectKey)),
    factKey: statementKey(given.fact),
    strength: strengthAnchor ?? strength,
    agentId: given.agentId ?? null,
    updatedAt: given.updatedAt ?? given.createdAt,
    lastAccessedAt: given.lastAccessedAt ?? given.updatedAt ?? given.createdAt,
  }),
  changedAt: ({ updatedAt }) => updatedAt,
  tombstones: {
    kind: "semantic",
    changed: (row, updatedAt) => ({ ...row, updatedAt }),
  },
});
