import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const proceduralMemories = sqliteTable(
  "procedural_memories",
  {
    id: text().primaryKey(),
    /** Procedures with the same name, project and agent are the same. */
    name: text().notNull(),
    steps: text({ mode: "json" }).$type<string[]>().notNull(),
    triggerCondition: text().notNull(),
    expectedOutcome: text(),
    frequency: integer().notNull(),
    /** As of the last access; the decay since then is computed when it is read. */
    strength: real().notNull(),
    lastAccessedAt: integer().notNull(),
    project: text(),
    projectKey: text(),
    agentId: text(),
    sourceSessionIds: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceObservationIds: text({ mode: "json" }).$type<string[]>().notNull(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    concepts: text({ mode: "json" }).$type<string[]>().notNull(),
    provider: text().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    index("procedural_name").on(table.name),
    index("procedural_project").on(table.projectKey, table.updatedAt),
    index("procedural_updated").on(table.updatedAt, table.id),
  ],
);
