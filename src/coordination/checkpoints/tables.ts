import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { CheckpointStatus, CheckpointType } from "./record.ts";

export const checkpoints = sqliteTable(
  "checkpoints",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    description: text().notNull(),
    status: text().$type<CheckpointStatus>().notNull(),
    type: text().$type<CheckpointType>().notNull(),
    /**
     * The actions that were named when it was created; which actions it gates now is decided by their edges.
     */
    linkedActionIds: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    resolvedAt: integer(),
    resolvedBy: text(),
    result: text({ mode: "json" }).$type<unknown>(),
    expiresAt: integer(),
  },
  (table) => [
    index("checkpoints_created").on(table.createdAt, table.id),
    index("checkpoints_expiry").on(table.status, table.expiresAt),
  ],
);
