import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The name stands for the folder. Learned from every request with a path, or with a name and a working
 * folder.
 */
export const projectAliases = sqliteTable(
  "project_aliases",
  { name: text().notNull(), path: text().notNull() },
  (table) => [primaryKey({ columns: [table.name, table.path] })],
);
