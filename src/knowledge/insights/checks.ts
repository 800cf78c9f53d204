import { inArray } from "drizzle-orm";
import { type Check, findingOf } from "../../governance/diagnostics/check.ts";
import { orphanDocuments } from "../../governance/diagnostics/orphan-documents.ts";
import { putDocument } from "../../index/documents.ts";
import { contentChecks } from "../content-checks.ts";
import { insightDocument } from "./document.ts";
import { insights } from "./tables.ts";

const rowsAtOnce = 500;

const unindexed = `SELECT id FROM insights WHERE deleted = 0 AND NOT EXISTS
  (SELECT 1 FROM documents WHERE kind = 'insight' AND ref = insights.id)`;

/** What can be wrong with insights, and between them and the search index. */
export const insightChecks: readonly Check[] = [
  ...contentChecks({ category: "insights", table: "insights", content: "content", confidence: "confidence" }),
  {
    category: "index",
    name: "missing-index-entry",
    find: (connection) =>
      findingOf(connection, unindexed, [], (count) => ({
        status: "fail",
        message: `${count} insights that no search finds`,
      })),
    heal: async (tx) => {
      const ids = (await tx.sql.values(unindexed)).map(([id]) => String(id));
      for (let start = 0; start < ids.length; start += rowsAtOnce) {
        const rows = await tx.orm
          .select()
          .from(insights)
          .where(inArray(insights.id, ids.slice(start, start + rowsAtOnce)));
        for (const row of rows) await putDocument(tx.sql, insightDocument(row));
      }
      return { fixed: ids.length, details: ids.map((id) => `insight ${id} is in the index again`) };
    },
  },
  orphanDocuments("insight", "SELECT 1 FROM insights WHERE id = documents.ref AND deleted = 0"),
];
