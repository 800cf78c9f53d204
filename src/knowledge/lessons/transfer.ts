import * as z from "zod";
import {
  FileId,
  FileText,
  FileTexts,
  FileTime,
  RedactedText,
  RedactedTexts,
  united,
} from "../../governance/transfer/file-fields.ts";
import { projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { usualDecayRate } from "../confidence.ts";
import { statementKey } from "../statement-key.ts";
import { lessonDocument } from "./document.ts";
import { LessonSource, lessonRecord } from "./record.ts";
import { lessonRows } from "./rows.ts";

const share = z.number().min(0).max(1);

/** `confidence` is what it is now; `confidenceAnchor` what it was when it was last confirmed. */
export const lessonCollection = tableCollection({
  name: "lessons",
  rows: lessonRows,
  schema: z.object({
    id: FileId,
    content: RedactedText,
    context: RedactedText.default(""),
    confidence: share.default(0.5),
    confidenceAnchor: share.optional(),
    reinforcements: z.number().int().min(0).default(0),
    source: LessonSource.catch("manual").default("manual"),
    sourceIds: FileTexts,
    project: FileText.optional(),
    projectKey: FileText.optional(),
    agentId: FileId.optional(),
    tags: RedactedTexts,
    createdAt: FileTime,
    updatedAt: FileTime.optional(),
    lastReinforcedAt: FileTime.optional(),
    decayRate: share.default(usualDecayRate),
    deleted: z.boolean().default(false),
  }),
  record: (row, { now, settings }) => ({
    ...lessonRecord(row, now, settings.lessonDecayEnabled),
    ...projectKeyOf(row),
    confidenceAnchor: row.confidence,
  }),
  row: async ({ confidenceAnchor, confidence, project, projectKey, ...given }, writing) => ({
    ...given,
    ...(await projectFields(writing, project, projectKey)),
    contentKey: statementKey(given.content),
    confidence: confidenceAnchor ?? confidence,
    agentId: given.agentId ?? null,
    updatedAt: given.updatedAt ?? given.createdAt,
    lastReinforcedAt: given.lastReinforcedAt ?? null,
  }),
  changedAt: ({ updatedAt }) => updatedAt,
  unite: (kept, other) => ({ ...kept, tags: united(kept.tags, other.tags) }),
  index: {
    kind: "lesson",
    ref: ({ id }) => id,
    document: (row) => (row.deleted ? undefined : lessonDocument(row)),
  },
});
