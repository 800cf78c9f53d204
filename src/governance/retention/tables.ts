import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Deletions, so that another store can learn of them. */
export const tombstones = sqliteTable(
  "tombstones",
  {
    kind: text().notNull(),
    id: text().notNull(),
    deletedAt: integer().notNull(),
    /** The project of the deleted row, for peers that exchange only one project. */
    projectKey: text(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);
