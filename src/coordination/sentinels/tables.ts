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
    /** Actions that were given when it was made; the edges of the actions decide which it gates. */
    linkedActionIds: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    triggeredAt: integer(),
    expiresAt: integer(),
    escalatedAt: integer(),
    /** When time ends the watch: a timer goes off, or it expires. */
    dueAt: integer(),
    /** The last observation, by its order of arrival, that a pattern was held against. */
    lookedAtSeq: integer().notNull(),
  },
  (table) => [
    index("sentinels_created").on(table.createdAt, table.id),
    index("sentinels_due").on(table.status, table.dueAt),
  ],
);
