import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SlotScope } from "./record.ts";

/** Small named notes. An empty key means that the slot belongs to no project or no agent. */
export const memorySlots = sqliteTable(
  "memory_slots",
  {
    scope: text().$type<SlotScope>().notNull(),
    label: text().notNull(),
    /** Empty for global slots, and for project slots of the default project. */
    projectKey: text().notNull(),
    /** Set only where agents are isolated, else empty. */
    agentId: text().notNull(),
    project: text(),
    content: text().notNull(),
    /** In code points. */
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
