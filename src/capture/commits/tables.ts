import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const commits = sqliteTable(
  "commits",
  {
    /** The longest known form of the sha. */
    sha: text().primaryKey(),
    branch: text(),
    message: text(),
    repo: text(),
    author: text(),
    authoredAt: integer(),
    files: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    linkedAt: integer().notNull(),
    updatedAt: integer().notNull(),
    /**
     * The observation that the commit was read from; it is deleted with it. Null once somebody has linked the
     * commit.
     */
    capturedFrom: text(),
  },
  (table) => [
    index("commits_linked").on(table.linkedAt, table.sha),
    index("commits_captured").on(table.capturedFrom).where(sql`captured_from IS NOT NULL`),
  ],
);

/** The sessions that a commit came from; they need not be known yet. */
export const commitSessions = sqliteTable(
  "commit_sessions",
  {
    sha: text().notNull(),
    sessionId: text().notNull(),
    /** The order of linking. */
    position: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sha, table.sessionId] }),
    index("commit_sessions_session").on(table.sessionId),
  ],
);
