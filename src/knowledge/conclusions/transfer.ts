import * as z from "zod";
import type { ProjectFields } from "../../capture/projects/projects.ts";
import type { Writing } from "../../governance/transfer/collection.ts";
import {
  FileId,
  FileText,
  FileTime,
  RedactedTags,
  RedactedText,
} from "../../governance/transfer/file-fields.ts";
import { projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { FileShare } from "../decay/file-strength.ts";
import { statementKey } from "../statements/statement-key.ts";
import { type ConfidenceCurve, defaultDecayRate } from "./confidence.ts";

/** `confidence` is the present confidence; `confidenceAnchor` that of the last confirmation. */
export const conclusionInFile = {
  id: FileId,
  content: RedactedText,
  confidence: FileShare.default(0.5),
  confidenceAnchor: FileShare.optional(),
  reinforcements: z.number().int().min(0).default(0),
  project: FileText.optional(),
  projectKey: FileText.optional(),
  agentId: FileId.optional(),
  tags: RedactedTags,
  createdAt: FileTime,
  updatedAt: FileTime.optional(),
  lastReinforcedAt: FileTime.optional(),
  decayRate: FileShare.default(defaultDecayRate),
  deleted: z.boolean().default(false),
};

type ConclusionInFile = z.output<z.ZodObject<typeof conclusionInFile>>;

/** The fields of a conclusion that are in exports only. */
export function exportOnlyFields(row: ConfidenceCurve & ProjectFields) {
  return { ...projectKeyOf(row), confidenceAnchor: row.confidence };
}

/** The columns for a record of a file, without those that only its family has. */
export async function conclusionFromFile<Given extends ConclusionInFile>(
  { confidenceAnchor, project, projectKey, ...given }: Given,
  writing: Writing,
) {
  return {
    ...given,
    ...(await projectFields(writing, project, projectKey)),
    contentKey: statementKey(given.content),
    confidence: confidenceAnchor ?? given.confidence,
    agentId: given.agentId ?? null,
    updatedAt: given.updatedAt ?? given.createdAt,
    lastReinforcedAt: given.lastReinforcedAt ?? null,
  };
}
