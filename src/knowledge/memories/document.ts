import type { DocumentText, DocumentWords } from "../../index/documents/document-words.ts";
import type { DocumentInput } from "../../index/documents/documents.ts";
import type { MemoryRow } from "./record.ts";

/** The texts of a memory for the search index. */
export function memoryText({
  title,
  content,
  concepts,
  files,
}: Pick<MemoryRow, "title" | "content" | "concepts"> & { readonly files: readonly string[] }): DocumentText {
  return { title, concepts, files, body: content };
}

/**
 * The index document of a memory; only latest versions are in the index. `words`: its words, if they were
 * computed before.
 */
export function memoryDocument(row: MemoryRow, words?: DocumentWords): DocumentInput {
  return {
    kind: "memory",
    ref: row.id,
    project: row.project,
    projectKey: row.projectKey,
    agentId: row.agentId,
    sessionId: row.sessionIds[0] ?? null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    hiddenAfter: row.forgetAfter,
    importance: row.strengthAnchor,
    type: row.type,
    ...memoryText(row),
    words,
  };
}
