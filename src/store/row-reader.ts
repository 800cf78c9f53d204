import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SqlValue } from "./sql.ts";

type RowOf<Table extends SQLiteTable> = Table["$inferSelect"];

/** Makes rows of a table of their values, which come in the order in which the table declares its columns. */
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
    // Every column of the table's declaration was read by that declaration.
    return row as RowOf<Table>;
  };
}
