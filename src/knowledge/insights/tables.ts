import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { conclusionColumns } from "../conclusions/columns.ts";

export const insights = sqliteTable(
  "insights",
  {
    id: text().primaryKey(),
    ...conclusionColumns,
    title: text().notNull(),
    sourceConceptCluster: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceMemoryIds: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceLessonIds: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceCrystalIds: text({ mode: "json" }).$type<string[]>().notNull(),
    provider: text().notNull(),
  },
  (table) => [
    index("insights_content").on(table.contentKey),
    index("insights_project").on(table.projectKey, table.deleted),
  ],
);
