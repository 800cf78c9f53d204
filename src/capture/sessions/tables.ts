import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SessionStatus } from "./record.ts";

export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    project: text().notNull(),
    projectKey: text().notNull(),
    cwd: text().notNull(),
    agentId: text(),
    status: text().$type<SessionStatus>().notNull(),
    startedAt: integer().notNull(),
    endedAt: integer(),
    /** Last activity, by the server's clock. */
    updatedAt: integer().notNull(),
    observationCount: integer().notNull().default(0),
    summary: text(),
    firstPrompt: text(),
    model: text(),
    commitShas: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** When the work after an end last ran, and the `seq` of the newest observation at that time. */
    lastStopAt: integer(),
    lastStopSeq: integer(),
    tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  },
  (table) => [
    index("sessions_started").on(table.startedAt, table.id),
    index("sessions_project").on(table.projectKey, table.startedAt),
    index("sessions_status").on(table.status, table.updatedAt),
  ],
);
