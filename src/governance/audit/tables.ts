import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const auditEntries = sqliteTable(
  "audit_entries",
  {
    id: text().primaryKey(),
    timestamp: integer().notNull(),
    operation: text().notNull(),
    functionId: text().notNull(),
    targetIds: text({ mode: "json" }).$type<string[]>().notNull(),
    details: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    qualityScore: real(),
    agentId: text(),
    userId: text(),
  },
  (table) => [
    index("audit_time").on(table.timestamp, table.id),
    index("audit_operation").on(table.operation, table.timestamp),
  ],
);
