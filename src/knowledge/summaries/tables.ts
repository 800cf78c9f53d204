import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One summary per session; made again when the session went on. */
export const sessionSummaries = sqliteTable(
  "session_summaries",
  {
    sessionId: text().primaryKey(),
    project: text().notNull(),
    projectKey: text().notNull(),
    agentId: text(),
    createdAt: integer().notNull(),
    title: text().notNull(),
    narrative: text().notNull(),
    keyDecisions: text({ mode: "json" }).$type<string[]>().notNull(),
    filesModified: text({ mode: "json" }).$type<string[]>().notNull(),
    concepts: text({ mode: "json" }).$type<string[]>().notNull(),
    observationCount: integer().notNull(),
    /** The `seq` of the newest observation that the summary includes. */
    lastObservation: integer().notNull(),
    provider: text().notNull(),
    qualityScore: real().notNull(),
  },
  (table) => [index("summaries_project").on(table.projectKey, table.createdAt)],
);
