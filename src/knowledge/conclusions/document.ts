import type { DocumentInput } from "../../index/documents/documents.ts";
import type { ConclusionRow } from "./row.ts";

/** What the search index knows of a conclusion, whose words and concepts its family names. */
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
