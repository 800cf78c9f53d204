import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { conclusionColumns } from "../conclusions/columns.ts";

export const lessons = sqliteTable(
  "lessons",
  {
    id: text().primaryKey(),
    ...conclusionColumns,
    /** Empty when none was given. */
    context: text().notNull(),
    source: text({ enum: ["crystal", "manual", "consolidation"] }).notNull(),
    sourceIds: text({ mode: "json" }).$type<string[]>().notNull(),
  },
  (table) => [
    index("lessons_content").on(table.contentKey),
    index("lessons_project").on(table.projectKey, table.deleted),
  ],
);
