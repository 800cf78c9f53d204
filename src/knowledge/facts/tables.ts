import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const semanticMemories = sqliteTable(
  "semantic_memories",
  {
    id: text().primaryKey(),
    fact: text().notNull(),
    /** The fact without case and outer blanks, hashed: the same fact again is a reinforcement. */
    factKey: text().notNull(),
    confidence: real().notNull(),
    /** As of the last access; it fades when it is read. */
    strength: real().notNull(),
    project: text(),
    projectKey: text(),
    agentId: text(),
    sourceSessionIds: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceMemoryIds: text({ mode: "json" }).$type<string[]>().notNull(),
    accessCount: integer().notNull(),
    lastAccessedAt: integer().notNull(),
    provider: text().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    index("semantic_fact").on(table.factKey),
    index("semantic_project").on(table.projectKey, table.updatedAt),
    index("semantic_updated").on(table.updatedAt, table.id),
  ],
);
