import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const semanticMemories = sqliteTable(
  "semantic_memories",
  {
    id: text().primaryKey(),
    fact: text().notNull(),
    /** A hash of the fact without case and surrounding blanks: adding the same fact again reinforces it. */
    factKey: text().notNull(),
    confidence: real().notNull(),
    /** As of the last access; the decay since then is computed when it is read. */
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
