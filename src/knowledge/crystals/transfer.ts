import * as z from "zod";
import {
  FileId,
  FileText,
  FileTexts,
  FileTime,
  RedactedTags,
  RedactedText,
  RedactedTexts,
} from "../../governance/transfer/file-fields.ts";
import { projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { crystalDocument } from "./document.ts";
import { crystalRecord } from "./record.ts";
import { crystalRows } from "./rows.ts";

export const crystalCollection = tableCollection({
  name: "crystals",
  rows: crystalRows,
  schema: z.object({
    id: FileId,
    narrative: RedactedText,
    keyOutcomes: RedactedTexts,
    filesAffected: FileTexts,
    lessons: RedactedTexts,
    tags: RedactedTags,
    sourceActionIds: FileTexts,
    sessionId: FileId.optional(),
    project: FileText.optional(),
    projectKey: FileText.optional(),
    agentId: FileId.optional(),
    provider: RedactedText.default("extractive"),
    createdAt: FileTime,
  }),
  words: "narrative",
  record: (row) => ({ ...crystalRecord(row), ...projectKeyOf(row) }),
  row: async ({ project, projectKey, ...given }, writing) => ({
    ...given,
    ...(await projectFields(writing, project, projectKey)),
    sessionId: given.sessionId ?? null,
    agentId: given.agentId ?? null,
  }),
  changedAt: ({ createdAt }) => createdAt,
  index: { kind: "crystal", document: crystalDocument },
});
