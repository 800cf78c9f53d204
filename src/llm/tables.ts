import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Usage of language models by day (UTC) and purpose. */
export const llmUsage = sqliteTable(
  "llm_usage",
  {
    /** `2025-01-31`. */
    day: text().notNull(),
    purpose: text().notNull(),
    calls: integer().notNull(),
    failures: integer().notNull(),
    inputTokens: integer().notNull(),
    outputTokens: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.purpose] })],
);
