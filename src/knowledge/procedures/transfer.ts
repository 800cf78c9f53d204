import * as z from "zod";
import {
  FileId,
  FileText,
  FileTexts,
  FileTime,
  RedactedTags,
  RedactedText,
  RedactedTexts,
  united,
} from "../../governance/transfer/file-fields.ts";
import { projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { timeText } from "../../operation/fields.ts";
import { FileShare, FileStrength } from "../decay/file-strength.ts";
import { procedureRecord } from "./record.ts";
import { procedureRows } from "./rows.ts";

/** `strength` is the present strength; `strengthAnchor` that of the last access. */
export const procedureCollection = tableCollection({
  name: "proceduralMemories",
  rows: procedureRows,
  schema: z.object({
    id: FileId,
    name: RedactedText,
    steps: RedactedTexts,
    triggerCondition: RedactedText.default(""),
    expectedOutcome: RedactedText.optional(),
    frequency: z.number().int().min(0).default(1),
    project: FileText.optional(),
    projectKey: FileText.optional(),
    agentId: FileId.optional(),
    sourceSessionIds: FileTexts,
    sourceObservationIds: FileTexts,
    tags: RedactedTags,
    concepts: RedactedTags,
    strength: FileStrength,
    strengthAnchor: FileShare.optional(),
    lastAccessedAt: FileTime.optional(),
    provider: RedactedText.default("extractive"),
    createdAt: FileTime,
    updatedAt: FileTime.optional(),
  }),
  words: "name",
  record: (row, { now, settings }) => ({
    ...procedureRecord(row, now, settings.consolidationDecayDays),
    ...projectKeyOf(row),
    strengthAnchor: row.strength,
    lastAccessedAt: timeText(row.lastAccessedAt),
  }),
  row: async ({ strength, strengthAnchor, project, projectKey, ...given }, writing) => ({
    ...given,
    ...(await projectFields(writing, project, projectKey)),
    strength: strengthAnchor ?? strength,
    expectedOutcome: given.expectedOutcome ?? null,
    agentId: given.agentId ?? null,
    updatedAt: given.updatedAt ?? given.createdAt,
    lastAccessedAt: given.lastAccessedAt ?? given.updatedAt ?? given.createdAt,
  }),
  changedAt: ({ updatedAt }) => updatedAt,
  tombstones: {
    kind: "procedural",
    changed: (row, updatedAt) => ({ ...row, updatedAt }),
  },
  unite: (kept, other) => ({ ...kept, tags: united(kept.tags, other.tags) }),
});
