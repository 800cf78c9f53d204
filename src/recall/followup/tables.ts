import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The newest counted search of each session. */
export const countedSearches = sqliteTable("counted_searches", {
  sessionId: text().primaryKey(),
  searchedAt: integer().notNull(),
  query: text().notNull(),
  resultIds: text({ mode: "json" }).$type<string[]>().notNull(),
});

/** One row: how many searches were counted, and how many of them followed another. */
export const followupCounts = sqliteTable("followup_counts", {
  id: integer().primaryKey(),
  searches: integer().notNull(),
  followups: integer().notNull(),
});
