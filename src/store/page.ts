import { desc, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { rowReader } from "./row-reader.ts";
import type { SqlValue } from "./sql.ts";
import type { Connection } from "./transaction.ts";
import { mapInTurns } from "./turns.ts";

/** Which page of a list is wanted. */
export interface Paging {
  /** Rows to skip. */
  readonly offset: number;
  /** Rows at most. */
  readonly limit: number;
}

/** The paging of a list's answer. */
export interface Paged extends Paging {
  /** Rows that match, on all pages. */
  readonly total: number;
}

export interface Selection {
  readonly where?: SQL | undefined;
  readonly order: readonly SQL[];
}

/** Newest created first; ids break ties. */
export function newestFirst({ createdAt, id }: Readonly<Record<"createdAt" | "id", SQLiteColumn>>): SQL[] {
  return [desc(createdAt), desc(id)];
}

/** Last changed first; ids break ties. */
export function lastChangedFirst({
  updatedAt,
  id,
}: Readonly<Record<"updatedAt" | "id", SQLiteColumn>>): SQL[] {
  return [desc(updatedAt), desc(id)];
}

/** One page of a table's matching rows, and how many match in all. */
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

/** The rows of a page, without the total. Decoding many rows yields to the event loop. */
export async function rowsOf<Table extends SQLiteTable>(
  { sql, orm }: Connection,
  table: Table,
  { where, order }: Selection,
  { limit, offset }: Paging,
): Promise<Table["$inferSelect"][]> {
  // The query builder cannot infer the rows' type from a generic table.
  const query = orm
    .select()
    .from(table as SQLiteTable)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
    .toSQL();
  // The columns have encoded the compared values already, so only driver values are left.
  return mapInTurns(await sql.values(query.sql, query.params as SqlValue[]), rowReader(table));
}
