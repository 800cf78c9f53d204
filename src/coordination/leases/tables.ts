import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { LeaseStatus } from "./record.ts";

/** Rights to work on an action for a limited time, including those that have ended. */
export const leases = sqliteTable(
  "leases",
  {
    id: text().primaryKey(),
    actionId: text().notNull(),
    agentId: text().notNull(),
    acquiredAt: integer().notNull(),
    expiresAt: integer().notNull(),
    renewedAt: integer(),
    status: text().$type<LeaseStatus>().notNull(),
  },
  (table) => [
    // The database guarantees one holder per action, whatever the programs that share the store do.
    uniqueIndex("leases_one_holder").on(table.actionId).where(sql`status = 'active'`),
    index("leases_action").on(table.actionId, table.acquiredAt),
    index("leases_expiry").on(table.status, table.expiresAt),
  ],
);
