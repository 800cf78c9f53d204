import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What was deleted, so that another store can learn of it. */
export const tombstones = sqliteTable(
  "tombstones",
  {
    kind: text().notNull(),
    id: text().notNull(),
    deletedAt: integer().notNull(),
    /** Of what was in a project, for those who are told of that project alone. */
    projectKey: text(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);
