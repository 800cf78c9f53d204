import { inArray } from "drizzle-orm";
import { type Check, findingOf } from "../../governance/diagnostics/check.ts";
import { orphanDocuments } from "../../governance/diagnostics/orphan-documents.ts";
import { putDocument } from "../../index/documents.ts";
import { contentChecks } from "../content-checks.ts";
import { lessonDocument } from "./document.ts";
import { lessons } from "./tables.ts";

const rowsAtOnce = 500;

const unindexed = `SELECT id FROM lessons WHERE deleted = 0 AND NOT EXISTS
  (SELECT 1 FROM documents WHERE kind = 'lesson' AND ref = lessons.id)`;

/** What can be wrong with lessons, and between them and the search index. */
export const lessonChecks: readonly Check[] = [
  ...contentChecks({ category: "lessons", table: "lessons", content: "content", confidence: "confidence" }),
  {
    category: "index",
    name: "missing-index-entry",
    find: (connection) =>
      findingOf(connection, unindexed, [], (count) => ({
        status: "fail",
        message: `${count} lessons that no search finds`,
      })),
    heal: async (tx) => {
      const ids = (await tx.sql.values(unindexed)).map(([id]) => String(id));
      for (let start = 0; start < ids.length; start += rowsAtOnce) {
        const rows = await tx.orm
          .select()
          .from(lessons)
          .where(inArray(lessons.id, ids.slice(start, start + rowsAtOnce)));
        for (const row of rows) await putDocument(tx.sql, lessonDocument(row));
      }
      return { fixed: ids.length, details: ids.map((id) => `lesson ${id} is in the index again`) };
    },
  },
  orphanDocuments("lesson", "SELECT 1 FROM lessons WHERE id = documents.ref AND deleted = 0"),
];
