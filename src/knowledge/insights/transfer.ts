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
import { TableRows } from "../../store/table-rows.ts";
import { firstLine } from "../../text/first-line.ts";
import { usualDecayRate } from "../confidence.ts";
import { statementKey } from "../statement-key.ts";
import { insightDocument } from "./document.ts";
import { insightRecord } from "./record.ts";
import { insights } from "./tables.ts";

const share = z.number().min(0).max(1);
const titleLength = 80;

/** `confidence` is what it is now; `confidenceAnchor` what it was when it was last confirmed. */
export const insightCollection = tableCollection({
  name: "insights",
  rows: new TableRows(insights, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    title: RedactedText.optional(),
    content: RedactedText,
    confidence: share.default(0.5),
    confidenceAnchor: share.optional(),
    reinforcements: z.number().int().min(0).default(0),
    sourceConceptCluster: RedactedTexts,
    sourceMemoryIds: FileTexts,
    sourceLessonIds: FileTexts,
    sourceCrystalIds: FileTexts,
    project: FileText.optional(),
    projectKey: FileText.optional(),
    agentId: FileId.optional(),
    tags: RedactedTexts,
    provider: FileText.default("extractive"),
    createdAt: FileTime,
    updatedAt: FileTime.optional(),
    lastReinforcedAt: FileTime.optional(),
    decayRate: share.default(usualDecayRate),
    deleted: z.boolean().default(false),
  }),
  record: (row, { now, settings }) => ({
    ...insightRecord(row, now, settings.insightDecayEnabled),
    ...projectKeyOf(row),
    confidenceAnchor: row.confidence,
  }),
  row: async ({ confidenceAnchor, confidence, project, projectKey, title, ...given }, writing) => ({
    ...given,
    ...(await projectFields(writing, project, projectKey)),
    title: title ?? firstLine(given.content, titleLength),
    contentKey: statementKey(given.content),
    confidence: confidenceAnchor ?? confidence,
    agentId: given.agentId ?? null,
    updatedAt: given.updatedAt ?? given.createdAt,
    lastReinforcedAt: given.lastReinforcedAt ?? null,
  }),
  changedAt: ({ updatedAt }) => updatedAt,
  unite: (kept, other) => ({ ...kept, tags: united(kept.tags, other.tags) }),
  index: {
    kind: "insight",
    ref: ({ id }) => id,
    document: (row) => (row.deleted ? undefined : insightDocument(row)),
  },
});
