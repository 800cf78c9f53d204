import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Short accounts of finished actions. */
export const crystals = sqliteTable(
  "crystals",
  {
    id: text().primaryKey(),
    narrative: text().notNull(),
    keyOutcomes: text({ mode: "json" }).$type<string[]>().notNull(),
    filesAffected: text({ mode: "json" }).$type<string[]>().notNull(),
    lessons: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The tags of its actions. */
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceActionIds: text({ mode: "json" }).$type<string[]>().notNull(),
    sessionId: text(),
    project: text(),
    projectKey: text(),
    agentId: text(),
    provider: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [
    index("crystals_created").on(table.createdAt, table.id),
    index("crystals_project").on(table.projectKey, table.createdAt),
  ],
);
