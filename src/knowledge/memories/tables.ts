import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { MemoryOrigin } from "./memory-origin.ts";
import type { MemoryType } from "./record.ts";
import type { RelationType } from "./relations/record.ts";

export const memories = sqliteTable(
  "memories",
  {
    id: text().primaryKey(),
    title: text().notNull(),
    content: text().notNull(),
    type: text().$type<MemoryType>().notNull(),
    concepts: text({ mode: "json" }).$type<string[]>().notNull(),
    files: text({ mode: "json" }).$type<string[]>().notNull(),
    version: integer().notNull(),
    isLatest: integer({ mode: "boolean" }).notNull(),
    project: text(),
    projectKey: text(),
    agentId: text(),
    sourceObservationIds: text({ mode: "json" }).$type<string[]>().notNull(),
    sessionIds: text({ mode: "json" }).$type<string[]>().notNull(),
    parentId: text(),
    supersedes: text({ mode: "json" }).$type<string[]>().notNull(),
    relatedIds: text({ mode: "json" }).$type<string[]>().notNull(),
    forgetAfter: integer(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    /**
     * The strength curve: its value at the anchor time, and the stability in days. Not updated as time
     * passes.
     */
    strengthAnchor: real().notNull(),
    strengthAnchorAt: integer().notNull(),
    stabilityDays: real().notNull(),
    recallCount: integer().notNull().default(0),
    lastRecalledAt: integer(),
    origin: text({ mode: "json" }).$type<MemoryOrigin>(),
  },
  (table) => [
    index("memories_created").on(table.createdAt, table.id),
    index("memories_project").on(table.projectKey, table.isLatest, table.createdAt),
    index("memories_parent").on(table.parentId),
    index("memories_forget").on(table.forgetAfter),
  ],
);

export const memoryRelations = sqliteTable(
  "memory_relations",
  {
    id: text().primaryKey(),
    type: text().$type<RelationType>().notNull(),
    sourceId: text().notNull(),
    targetId: text().notNull(),
    confidence: real().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [index("relations_source").on(table.sourceId), index("relations_target").on(table.targetId)],
);

/** How often and when a memory or an observation was handed out. */
export const accessLogs = sqliteTable("access_logs", {
  memoryId: text().primaryKey(),
  count: integer().notNull(),
  lastAt: integer().notNull(),
  recent: text({ mode: "json" }).$type<number[]>().notNull(),
});
