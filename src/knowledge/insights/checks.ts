import { inArray } from "drizzle-orm";
import type { Check } from "../../governance/diagnostics/check.ts";
import { documentChecks } from "../../governance/diagnostics/document-checks.ts";
import { statementChecks } from "../statements/statement-checks.ts";
import { insightDocument } from "./document.ts";
import { insights } from "./tables.ts";

/** Checks of `doctor` on insights and their index entries. */
export const insightChecks: readonly Check[] = [
  ...statementChecks({
    category: "insights",
    table: "insights",
    content: "content",
    confidence: "confidence",
  }),
  ...documentChecks({
    kind: "insight",
    table: "insights",
    standing: "deleted = 0",
    documents: async ({ orm }, ids) =>
      (await orm.select().from(insights).where(inArray(insights.id, ids))).map((row) => insightDocument(row)),
  }),
];
