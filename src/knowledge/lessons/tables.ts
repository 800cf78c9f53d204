import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const lessons = sqliteTable(
  "lessons",
  {
    id: text().primaryKey(),
    content: text().notNull(),
    /** Empty when none was given. */
    context: text().notNull(),
    /** The content without case and outer blanks, hashed: the same lesson again is a reinforcement. */
    contentKey: text().notNull(),
    /** As of the last reinforcement; it fades when it is read. */
    confidence: real().notNull(),
    decayRate: real().notNull(),
    reinforcements: integer().notNull(),
    source: text({ enum: ["crystal", "manual", "consolidation"] }).notNull(),
    sourceIds: text({ mode: "json" }).$type<string[]>().notNull(),
    project: text(),
    projectKey: text(),
    agentId: text(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    lastReinforcedAt: integer(),
    deleted: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [
    index("lessons_content").on(table.contentKey),
    index("lessons_project").on(table.projectKey, table.deleted),
  ],
);
