import type { SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Orm } from "./orm.ts";

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

/** The asked page of a table's rows that match, and how many match in all. */
export async function pageOf<Table extends SQLiteTable>(
  orm: Orm,
  table: Table,
  { where, order }: Selection,
  { limit, offset }: Paging,
): Promise<Paged & { readonly rows: Table["$inferSelect"][] }> {
  // The query builder does not follow the type of a table that it is told only when it is called.
  const rows: Table["$inferSelect"][] = await orm
    .select()
    .from(table as SQLiteTable)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return { rows, total: await orm.$count(table, where), offset, limit };
}
