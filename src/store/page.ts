import { desc, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { rowReader } from "./row-reader.ts";
import type { SqlValue } from "./sql.ts";
import type { Connection } from "./transaction.ts";
import { mapInTurns } from "./turns.ts";

/** Which rows of a list are asked for. */
export interface Paging {
  /** Rows to pass over. */
  readonly offset: number;
  /** Rows at the most. */
  readonly limit: number;
}

/** What a list says of itself beside its rows. */
export interface Paged extends Paging {
  /** Rows that match, on whatever page. */
  readonly total: number;
}

export interface Selection {
  readonly where?: SQL | undefined;
  readonly order: readonly SQL[];
}

/** The order of rows by when they were made. */
export function newestFirst({ createdAt, id }: Readonly<Record<"createdAt" | "id", SQLiteColumn>>): SQL[] {
  return [desc(createdAt), desc(id)];
}

/** The order of rows by when they were last changed. */
export function lastChangedFirst({
  updatedAt,
  id,
}: Readonly<Record<"updatedAt" | "id", SQLiteColumn>>): SQL[] {
  return [desc(updatedAt), desc(id)];
}

/** The asked page of a table's rows that match, and how many match in all. */
export async function pageOf<Table extends SQLiteTable>(
  connection: Connection,
  table: Table,
  selection: Selection,
  paging: Paging,
): Promise<Paged & { readonly rows: Table["$inferSelect"][] }> {
  const rows = await rowsOf(connection, table, selection, paging);
  const { limit, offset } = paging;
  return { rows, total: await connection.orm.$count(table, selection.where), offset, limit };
}

/** The rows alone; while many are made of what the database gave, others have their turns. */
export async function rowsOf<Table extends SQLiteTable>(
  { sql, orm }: Connection,
  table: Table,
  { where, order }: Selection,
  { limit, offset }: Paging,
): Promise<Table["$inferSelect"][]> {
  // The query builder does not follow the type of a table that it is told only when it is called.
  const query = orm
    .select()
    .from(table as SQLiteTable)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
    .toSQL();
  // The table's columns have encoded what the rows are compared with, so only driver values are left.
  return mapInTurns(await sql.values(query.sql, query.params as SqlValue[]), rowReader(table));
}
