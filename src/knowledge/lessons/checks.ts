import { inArray } from "drizzle-orm";
import type { Check } from "../../governance/diagnostics/check.ts";
import { documentChecks } from "../../governance/diagnostics/document-checks.ts";
import { statementChecks } from "../statements/statement-checks.ts";
import { lessonDocument } from "./document.ts";
import { lessons } from "./tables.ts";

/** Checks of `doctor` on lessons and their index entries. */
export const lessonChecks: readonly Check[] = [
  ...statementChecks({ category: "lessons", table: "lessons", content: "content", confidence: "confidence" }),
  ...documentChecks({
    kind: "lesson",
    table: "lessons",
    standing: "deleted = 0",
    documents: async ({ orm }, ids) =>
      (await orm.select().from(lessons).where(inArray(lessons.id, ids))).map((row) => lessonDocument(row)),
  }),
];
