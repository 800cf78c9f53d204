import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** When what follows sessions by itself last distilled a project. */
export const consolidationRuns = sqliteTable(
  "consolidation_runs",
  {
    projectKey: text().notNull(),
    /** Empty where agents are not kept apart. */
    agentKey: text().notNull(),
    lastRunAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectKey, table.agentKey] })],
);
