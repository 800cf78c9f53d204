import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RoutineStep, StepAction } from "./record.ts";

export const routines = sqliteTable(
  "routines",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    description: text().notNull(),
    /** Sorted by `order`. */
    steps: text({ mode: "json" }).$type<RoutineStep[]>().notNull(),
    frozen: integer({ mode: "boolean" }).notNull(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceProceduralIds: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [index("routines_created").on(table.createdAt, table.id)],
);

/** Only what is fixed when a run starts; its status follows from its actions. */
export const routineRuns = sqliteTable("routine_runs", {
  id: text().primaryKey(),
  routineId: text().notNull(),
  startedAt: integer().notNull(),
  /** In the order of the steps. */
  steps: text({ mode: "json" }).$type<StepAction[]>().notNull(),
  initiatedBy: text(),
  project: text(),
});
