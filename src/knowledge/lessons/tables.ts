import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { conclusionColumns } from "../conclusions/columns.ts";
import type { LessonSource } from "./record.ts";

export const lessons = sqliteTable(
  "lessons",
  {
    id: text().primaryKey(),
    ...conclusionColumns,
    /** Empty when none was given. */
    context: text().notNull(),
    source: text().$type<LessonSource>().notNull(),
    sourceIds: text({ mode: "json" }).$type<string[]>().notNull(),
  },
  (table) => [
    index("lessons_content").on(table.contentKey),
    index("lessons_project").on(table.projectKey, table.deleted),
  ],
);
