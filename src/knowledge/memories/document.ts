import type { DocumentInput } from "../../index/documents.ts";
import type { MemoryRow } from "./record.ts";

/** What the search index knows of a memory; only latest versions are in it. */
export function memoryDocument(row: MemoryRow): DocumentInput {
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
    title: row.title,
    body: row.content,
    concepts: row.concepts,
    files: row.files,
  };
}
