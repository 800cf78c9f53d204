import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SketchStatus } from "./record.ts";

/** Draft plans. */
export const sketches = sqliteTable(
  "sketches",
  {
    id: text().primaryKey(),
    title: text().notNull(),
    description: text().notNull(),
    status: text().$type<SketchStatus>().notNull(),
    /** The actions that were added; they stay listed after the sketch was promoted or discarded. */
    actionIds: text({ mode: "json" }).$type<string[]>().notNull(),
    project: text(),
    projectKey: text(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    promotedAt: integer(),
    discardedAt: integer(),
  },
  (table) => [
    index("sketches_created").on(table.createdAt, table.id),
    index("sketches_expiry").on(table.status, table.expiresAt),
  ],
);
