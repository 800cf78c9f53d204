import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Name N stands for the folder P: learnt whenever a request carries a path, or a name with a folder. */
export const projectAliases = sqliteTable(
  "project_aliases",
  { name: text().notNull(), path: text().notNull() },
  (table) => [primaryKey({ columns: [table.name, table.path] })],
);
