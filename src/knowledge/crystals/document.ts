import type { DocumentInput } from "../../index/documents/documents.ts";
import { firstLine } from "../../text/first-line.ts";
import type { CrystalRow } from "./record.ts";

const titleLength = 80;
const usualImportance = 0.5;

/** The index document of a crystal. */
export function crystalDocument(row: CrystalRow): DocumentInput {
  return {
    kind: "crystal",
    ref: row.id,
    project: row.project,
    projectKey: row.projectKey,
    agentId: row.agentId,
    sessionId: row.sessionId,
    createdAt: row.createdAt,
    updatedAt: row.createdAt,
    hiddenAfter: null,
    importance: usualImportance,
    type: "crystal",
    title: firstLine(row.narrative, titleLength),
    body: [row.narrative, ...row.keyOutcomes, ...row.lessons].join("\n"),
    concepts: row.tags,
    files: row.filesAffected,
  };
}
