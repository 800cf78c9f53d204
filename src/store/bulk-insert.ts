import type { Sql, SqlValue } from "./sql.ts";

/*
 * Inserts many rows of few columns into one table. One statement takes up to a hundred rows: calling the driver for
 * each row takes longer than storing it, and passing all rows as one JSON list, from which SQL extracts every column,
 * longer still.
 *
 * Passing a value to the driver takes about as long as storing it in SQLite, so a value that all rows of a statement
 * share is passed once. Which columns vary is learned: a column that has varied once counts as varying from then on, so
 * that few different statements have to be prepared.
 */

const sizes = [100, 25, 5, 1];

export type BulkInsert = (sql: Sql, rows: readonly (readonly SqlValue[])[]) => Promise<void>;

/**
 * Makes a function that inserts rows. `into` is the text before VALUES: "INSERT INTO …(…)". If the rows cannot violate
 * a constraint, use INSERT OR FAIL: for a statement of several rows that might have to be undone, SQLite opens a
 * savepoint, at which FTS5 writes out what it has gathered. `row` is the list of one row, such as "(?, ?, 0)".
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
  /** The statement and its values for `size` rows of a list, beginning at `from`. */
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

/** The lists of all rows, with numbered parameters: first those that all rows share, then those of each row. */
function rowLists(pieces: readonly string[], isVarying: readonly boolean[], size: number): string {
  let last = 0;
  const common = isVarying.map((varying) => (varying ? 0 : ++last));
  const lists = Array.from({ length: size }, () =>
    pieces.reduce((list, piece, at) => `${list}?${common[at - 1] || ++last}${piece}`),
  );
  return lists.join(", ");
}

/**
 * The values in the order of the parameter numbers of `rowLists`. Loops, because Array.flat() takes five times as long.
 */
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
