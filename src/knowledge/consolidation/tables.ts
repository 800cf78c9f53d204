import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** When the background last consolidated a project. */
export const consolidationRuns = sqliteTable(
  "consolidation_runs",
  {
    projectKey: text().notNull(),
    /** Empty where agents are not isolated. */
    agentKey: text().notNull(),
    lastRunAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectKey, table.agentKey] })],
);
