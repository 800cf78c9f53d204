import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const insights = sqliteTable(
  "insights",
  {
    id: text().primaryKey(),
    title: text().notNull(),
    content: text().notNull(),
    /** The content without case and outer blanks, hashed: the same insight again is a reinforcement. */
    contentKey: text().notNull(),
    /** As of the last reinforcement; it fades when it is read. */
    confidence: real().notNull(),
    decayRate: real().notNull(),
    reinforcements: integer().notNull(),
    sourceConceptCluster: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceMemoryIds: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceLessonIds: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceCrystalIds: text({ mode: "json" }).$type<string[]>().notNull(),
    project: text(),
    projectKey: text(),
    agentId: text(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    provider: text().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    lastReinforcedAt: integer(),
    deleted: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [
    index("insights_content").on(table.contentKey),
    index("insights_project").on(table.projectKey, table.deleted),
  ],
);
