import * as z from "zod";
import type { Writing } from "../../governance/transfer/collection.ts";
import {
  FileId,
  FileText,
  FileTime,
  RedactedText,
  RedactedTexts,
} from "../../governance/transfer/file-fields.ts";
import { type ProjectFields, projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { FileShare } from "../decay/file-strength.ts";
import { statementKey } from "../statements/statement-key.ts";
import { type ConfidenceCurve, defaultDecayRate } from "./confidence.ts";

/** `confidence` is what it is now; `confidenceAnchor` what it was when it was last confirmed. */
export const conclusionInFile = {
  id: FileId,
  content: RedactedText,
  confidence: FileShare.default(0.5),
  confidenceAnchor: FileShare.optional(),
  reinforcements: z.number().int().min(0).default(0),
  project: FileText.optional(),
  projectKey: FileText.optional(),
  agentId: FileId.optional(),
  tags: RedactedTexts,
  createdAt: FileTime,
  updatedAt: FileTime.optional(),
  lastReinforcedAt: FileTime.optional(),
  decayRate: FileShare.default(defaultDecayRate),
  deleted: z.boolean().default(false),
};

type ConclusionInFile = z.output<z.ZodObject<typeof conclusionInFile>>;

/** What a file says of a conclusion that answers do not. */
export function exportOnlyFields(row: ConfidenceCurve & ProjectFields) {
  return { ...projectKeyOf(row), confidenceAnchor: row.confidence };
}

/** Those columns of the row that a file's record stands for. */
export async function conclusionFromFile(given: ConclusionInFile, writing: Writing) {
  return {
    id: given.id,
    content: given.content,
    contentKey: statementKey(given.content),
    confidence: given.confidenceAnchor ?? given.confidence,
    decayRate: given.decayRate,
    reinforcements: given.reinforcements,
    ...(await projectFields(writing, given.project, given.projectKey)),
    agentId: given.agentId ?? null,
    tags: given.tags,
    createdAt: given.createdAt,
    updatedAt: given.updatedAt ?? given.createdAt,
    lastReinforcedAt: given.lastReinforcedAt ?? null,
    deleted: given.deleted,
  };
}
