import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TeamItemType, TeamVisibility } from "./record.ts";

/**
 * Copies of records that somebody shared with a team. Sharing a record again renews its copy; deleting the
 * record deletes the copies.
 */
export const teamItems = sqliteTable(
  "team_items",
  {
    id: text().notNull(),
    teamId: text().notNull(),
    sharedBy: text().notNull(),
    type: text().$type<TeamItemType>().notNull(),
    itemId: text().notNull(),
    sharedAt: integer().notNull(),
    content: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    project: text(),
    projectKey: text(),
    visibility: text().$type<TeamVisibility>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.sharedBy, table.type, table.itemId] }),
    index("team_items_shared").on(table.teamId, table.sharedAt, table.id),
    index("team_items_item").on(table.itemId),
  ],
);
