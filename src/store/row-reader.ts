import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SqlValue } from "./sql.ts";

/** A row of a table as its declaration decodes it. */
export type RowOf<Table extends SQLiteTable> = Table["$inferSelect"];

/** Makes a function that decodes a row from its values, which must be in the order of the table's declared columns. */
export function rowReader<Table extends SQLiteTable>(
  table: Table,
): (values: readonly SqlValue[]) => RowOf<Table> {
  const columns = Object.entries(getTableColumns(table));
  return (values) => {
    const row: Record<string, unknown> = {};
    columns.forEach(([property, column], at) => {
      const value = values[at];
      row[property] = value === null ? null : column.mapFromDriverValue(value);
    });
    // Every declared column was decoded by its own declaration.
    return row as RowOf<Table>;
  };
}
