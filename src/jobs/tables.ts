import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const jobs = sqliteTable(
  "jobs",
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    /** A kind and a key have at most one queued job, as they stand for the same work. */
    key: text().notNull(),
    payload: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    status: text({ enum: ["queued", "running", "done", "failed"] }).notNull(),
    runAfter: integer().notNull(),
    attempts: integer().notNull().default(0),
    /** Who claimed it, and until when nobody else may. */
    claimedBy: text(),
    claimedUntil: integer(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    error: text(),
  },
  (table) => [
    uniqueIndex("jobs_waiting").on(table.kind, table.key).where(sql`status = 'queued'`),
    index("jobs_due").on(table.status, table.runAfter),
  ],
);
