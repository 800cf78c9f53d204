import type { DocumentInput } from "../../index/documents/documents.ts";
import { conclusionDocument } from "../conclusions/document.ts";
import type { InsightRow } from "./record.ts";

/** The index document of an insight; dropped insights are not in the index. */
export function insightDocument(row: InsightRow): DocumentInput {
  return conclusionDocument("insight", row, {
    title: row.title,
    body: row.content,
    concepts: [...new Set([...row.sourceConceptCluster, ...row.tags])],
  });
}
