import type { SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
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

interface Selection {
  readonly where?: SQL | undefined;
  readonly order: readonly SQL[];
}

/** The asked page of a table's rows that match, and how many match in all; of many rows it takes turns with others. */
export async function pageOf<Table extends SQLiteTable>(
  { sql, orm }: Connection,
  table: Table,
  { where, order }: Selection,
  { limit, offset }: Paging,
): Promise<Paged & { readonly rows: Table["$inferSelect"][] }> {
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
  const found = await sql.values(query.sql, query.params as SqlValue[]);
  const total = await orm.$count(table, where);
  return { rows: await mapInTurns(found, rowReader(table)), total, offset, limit };
}
