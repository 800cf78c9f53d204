import type { Sql, SqlValue } from "./sql.ts";

/*
 * Many rows of few columns into one table. One statement takes a hundred of them: to call the driver for each takes
 * longer than to write a row, and a list in JSON, of which SQL picks every column, longer still.
 *
 * To hand a value over takes the driver about as long as SQLite takes to store it, so what all rows of a statement
 * have in common is handed over once. Which columns that are is learned: one that has varied counts as varying from
 * then on, so that there are few statements to prepare.
 */

const sizes = [100, 25, 5, 1];

export type BulkInsert = (sql: Sql, rows: readonly (readonly SqlValue[])[]) => Promise<void>;

/**
 * A way to insert rows. `into` is what stands before VALUES: "INSERT INTO …(…)", with OR FAIL where the table's
 * constraints cannot be broken, since a statement of several rows that may take itself back makes FTS5 write what it
 * has gathered. `row` is the list for one row, as "(?, ?, 0)".
 */
export function bulkInsert(into: string, row: string): BulkInsert {
  const statements = sizes.map((size) => rowsStatement(into, row, size));
  return async (sql, rows) => {
    let from = 0;
    for (const { size, bind } of statements) {
      for (; from + size <= rows.length; from += size) {
        const { text, values } = bind(rows, from);
        await sql.run(text, values);
      }
    }
  };
}

interface RowsStatement {
  readonly size: number;
  /** The statement for so many rows of a list, from one on. */
  readonly bind: (
    rows: readonly (readonly SqlValue[])[],
    from: number,
  ) => { readonly text: string; readonly values: SqlValue[] };
}

function rowsStatement(into: string, row: string, size: number): RowsStatement {
  const pieces = row.split("?");
  const isVarying = pieces.slice(1).map(() => false);
  let text: string | undefined;
  return {
    size,
    bind: (rows, from) => {
      isVarying.forEach((known, column) => {
        if (known || !varies(rows, from, from + size, column)) return;
        isVarying[column] = true;
        text = undefined;
      });
      text ??= `${into} VALUES ${rowLists(pieces, isVarying, size)}`;
      return { text, values: valuesOf(rows, from, from + size, isVarying) };
    },
  };
}

function varies(rows: readonly (readonly SqlValue[])[], from: number, end: number, column: number): boolean {
  const first = rows[from]?.[column];
  for (let at = from + 1; at < end; at += 1) if (rows[at]?.[column] !== first) return true;
  return false;
}

/** The lists of all rows: values in common come first, then those of each row. */
function rowLists(pieces: readonly string[], isVarying: readonly boolean[], size: number): string {
  let last = 0;
  const common = isVarying.map((varying) => (varying ? 0 : ++last));
  const lists = Array.from({ length: size }, () =>
    pieces.reduce((list, piece, at) => `${list}?${common[at - 1] || ++last}${piece}`),
  );
  return lists.join(", ");
}

/** In the order of the numbers that `rowLists` gives; Array.flat() takes five times as long. */
function valuesOf(
  rows: readonly (readonly SqlValue[])[],
  from: number,
  end: number,
  isVarying: readonly boolean[],
): SqlValue[] {
  const values = (rows[from] ?? []).filter((_, column) => isVarying[column] === false);
  for (let at = from; at < end; at += 1) {
    rows[at]?.forEach((value, column) => {
      if (isVarying[column] === true) values.push(value);
    });
  }
  return values;
}
