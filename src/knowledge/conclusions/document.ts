import type { DocumentInput } from "../../index/documents/documents.ts";
import type { ConclusionRow } from "./row.ts";

/** The index document of a conclusion; its family supplies title, body and concepts. */
export function conclusionDocument(
  kind: "lesson" | "insight",
  row: ConclusionRow & { readonly id: string; readonly projectKey: string | null },
  words: Pick<DocumentInput, "title" | "body" | "concepts">,
): DocumentInput {
  return {
    kind,
    ref: row.id,
    project: row.project,
    projectKey: row.projectKey,
    agentId: row.agentId,
    sessionId: null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    hiddenAfter: null,
    importance: row.confidence,
    type: kind,
    ...words,
    files: [],
  };
}
