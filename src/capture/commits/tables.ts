import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const commits = sqliteTable(
  "commits",
  {
    /** The longest form that is known of it. */
    sha: text().primaryKey(),
    branch: text(),
    message: text(),
    repo: text(),
    author: text(),
    authoredAt: integer(),
    files: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    linkedAt: integer().notNull(),
    updatedAt: integer().notNull(),
    /** The observation that it was read from, as long as nobody has linked it: it goes with that. */
    capturedFrom: text(),
  },
  (table) => [
    index("commits_linked").on(table.linkedAt, table.sha),
    index("commits_captured").on(table.capturedFrom).where(sql`captured_from IS NOT NULL`),
  ],
);

/** Which sessions a commit came from; a session need not be known yet. */
export const commitSessions = sqliteTable(
  "commit_sessions",
  {
    sha: text().notNull(),
    sessionId: text().notNull(),
    /** Order of linking. */
    position: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sha, table.sessionId] }),
    index("commit_sessions_session").on(table.sessionId),
  ],
);
