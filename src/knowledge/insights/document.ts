import type { DocumentInput } from "../../index/documents.ts";
import type { InsightRow } from "./record.ts";

/** What the search index knows of an insight; dropped ones are not in it. */
export function insightDocument(row: InsightRow): DocumentInput {
  return {
    kind: "insight",
    ref: row.id,
    project: row.project,
    projectKey: row.projectKey,
    agentId: row.agentId,
    sessionId: null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    hiddenAfter: null,
    importance: row.confidence,
    type: "insight",
    title: row.title,
    body: row.content,
    concepts: [...new Set([...row.sourceConceptCluster, ...row.tags])],
    files: [],
  };
}
