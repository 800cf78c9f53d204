import { type Column, getTableColumns } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Sql, SqlValue } from "./sql.ts";

/** A row of a table as its declaration decodes it. */
export type RowOf<Table extends SQLiteTable> = Table["$inferSelect"];

/** A declared column, with its name in statements. */
export interface NamedColumn {
  readonly property: string;
  readonly name: string;
  readonly column: Column;
}

/** The columns of a table, in the order of their declaration. */
export function namedColumns(table: SQLiteTable): NamedColumn[] {
  return Object.entries(getTableColumns(table)).map(([property, column]) => ({
    property,
    column,
    name: column.keyAsName ? toSnakeCase(property) : column.name,
  }));
}

/** Makes a function that decodes a row from its values, which must be in the order of the table's declared columns. */
export function rowReader<Table extends SQLiteTable>(
  table: Table,
): (values: readonly SqlValue[]) => RowOf<Table> {
  const columns = namedColumns(table);
  // Every declared column is decoded by its own declaration.
  return (values) => decoded(columns, values) as RowOf<Table>;
}

/** Some fields of a row, for reading only. */
type PartOf<Row, Field extends keyof Row> = {
  readonly [Name in Field]: Row[Name] extends (infer Item)[] ? readonly Item[] : Row[Name];
};

/** Reads some columns of a table. */
interface PartReader<Part> {
  /** The columns, for SELECT. */
  readonly columns: string;
  /** The rows of a statement that selects just these columns. */
  rows(sql: Sql, text: string, args: readonly SqlValue[]): Promise<Part[]>;
}

/** The part that a reader reads of a row. */
export type Read<Reader extends PartReader<unknown>> = Reader extends PartReader<infer Part> ? Part : never;

export function partReader<Table extends SQLiteTable, Field extends keyof RowOf<Table> & string>(
  table: Table,
  fields: readonly Field[],
): PartReader<PartOf<RowOf<Table>, Field>> {
  const all = namedColumns(table);
  const columns = fields.flatMap((field) => all.filter(({ property }) => property === field));
  return {
    columns: columns.map(({ name }) => name).join(", "),
    rows: async (sql, text, args) =>
      // As above, and the fields are those of the columns.
      (await sql.values(text, args)).map((values) => decoded(columns, values) as PartOf<RowOf<Table>, Field>),
  };
}

function decoded(columns: readonly NamedColumn[], values: readonly SqlValue[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  columns.forEach(({ property, column }, at) => {
    const value = values[at];
    row[property] = value === null ? null : column.mapFromDriverValue(value);
  });
  return row;
}
