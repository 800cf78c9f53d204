import type { Sql, SqlValue } from "./sql.ts";

/*
 * Many rows of few columns into one table. One statement takes a hundred of them: to call the driver for each takes
 * longer than to write a row, and a list in JSON, of which SQL picks every column, longer still.
 */

const sizes = [100, 10, 1];

export type BulkInsert = (sql: Sql, rows: readonly (readonly SqlValue[])[]) => Promise<void>;

/**
 * A way to insert rows. `into` is what stands before VALUES: "INSERT INTO …(…)", with OR FAIL where the table's
 * constraints cannot be broken, since a statement of several rows that may take itself back makes FTS5 write what it
 * has gathered. `row` is the list for one row, as "(?, ?, 0)".
 */
export function bulkInsert(into: string, row: string): BulkInsert {
  const statements = sizes.map((size) => ({
    size,
    text: `${into} VALUES ${Array.from({ length: size }, () => row).join(", ")}`,
  }));
  return async (sql, rows) => {
    let from = 0;
    for (const { size, text } of statements) {
      for (; from + size <= rows.length; from += size)
        await sql.run(text, flattened(rows, from, from + size));
    }
  };
}

/** Array.flat() takes five times as long. */
function flattened(rows: readonly (readonly SqlValue[])[], from: number, end: number): SqlValue[] {
  const values: SqlValue[] = [];
  for (let at = from; at < end; at += 1) for (const value of rows[at] ?? []) values.push(value);
  return values;
}
