import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SentinelStatus, SentinelType } from "./record.ts";

export const sentinels = sqliteTable(
  "sentinels",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    type: text().$type<SentinelType>().notNull(),
    status: text().$type<SentinelStatus>().notNull(),
    config: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    result: text({ mode: "json" }).$type<unknown>(),
    /**
     * The actions that were named when it was created; which actions it gates now is decided by their edges.
     */
    linkedActionIds: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    triggeredAt: integer(),
    expiresAt: integer(),
    escalatedAt: integer(),
    /** When the watch ends by time: a timer goes off, or the sentinel expires. */
    dueAt: integer(),
    /** The `seq` of the last observation that a pattern was matched against. */
    lookedAtSeq: integer().notNull(),
  },
  (table) => [
    index("sentinels_created").on(table.createdAt, table.id),
    index("sentinels_due").on(table.status, table.dueAt),
  ],
);
