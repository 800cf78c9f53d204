import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SlotScope } from "./record.ts";

/** Small named notes. Empty keys stand for what a slot has not: a project of its own, an agent of its own. */
export const memorySlots = sqliteTable(
  "memory_slots",
  {
    scope: text().$type<SlotScope>().notNull(),
    label: text().notNull(),
    /** Empty for global slots, and for those of the shared default project. */
    projectKey: text().notNull(),
    /** Only where agents are isolated. */
    agentId: text().notNull(),
    project: text(),
    content: text().notNull(),
    /** Code points. */
    sizeLimit: integer().notNull(),
    description: text().notNull(),
    pinned: integer({ mode: "boolean" }).notNull(),
    readOnly: integer({ mode: "boolean" }).notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.label, table.projectKey, table.agentId] }),
    index("slots_project").on(table.projectKey),
  ],
);
