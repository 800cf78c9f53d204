import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ProjectProfile } from "./record.ts";

/** Profiles that were computed within the last hour: one for each project and each view of its rows. */
export const profiles = sqliteTable(
  "profiles",
  {
    projectKey: text().notNull(),
    /** Whose rows it was made from; empty when it was made from everybody's. */
    agentId: text().notNull(),
    includeOrphans: integer({ mode: "boolean" }).notNull(),
    /** All project keys that it covers; a session under any of them drops it when it ends. */
    readKeys: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    computedAt: integer().notNull(),
    profile: text({ mode: "json" }).$type<ProjectProfile>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectKey, table.agentId, table.includeOrphans] })],
);
