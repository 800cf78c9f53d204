import type { DocumentInput } from "../../index/documents/documents.ts";
import { conclusionDocument } from "../conclusions/document.ts";
import type { InsightRow } from "./record.ts";

/** What the search index knows of an insight; dropped ones are not in it. */
export function insightDocument(row: InsightRow): DocumentInput {
  return conclusionDocument("insight", row, {
    title: row.title,
    body: row.content,
    concepts: [...new Set([...row.sourceConceptCluster, ...row.tags])],
  });
}
