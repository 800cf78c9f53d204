import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ProjectProfile } from "./record.ts";

/** Profiles computed within the last hour: one for each project and each view of its rows. */
export const profiles = sqliteTable(
  "profiles",
  {
    projectKey: text().notNull(),
    /** The agent whose rows it was made from; empty if it was made from everybody's. */
    agentId: text().notNull(),
    includeOrphans: integer({ mode: "boolean" }).notNull(),
    /** All project keys that it covers; the end of a session under any of them drops the profile. */
    readKeys: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    computedAt: integer().notNull(),
    profile: text({ mode: "json" }).$type<ProjectProfile>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectKey, table.agentId, table.includeOrphans] })],
);
