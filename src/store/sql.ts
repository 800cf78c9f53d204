/** A value that is bound to or returned by a statement. Times are integers: milliseconds since 1970, UTC. */
export type SqlValue = null | number | string | Uint8Array;

export type SqlRow = Record<string, SqlValue>;

/**
 * The minimal interface of a connection, offered by open write transactions and by the reading connection. Statements
 * are cached by their text, so keep the text constant and bind the values.
 */
export interface Sql {
  /** All rows of a statement that returns rows (SELECT, or a write with RETURNING). */
  all<Row = SqlRow>(text: string, args?: readonly SqlValue[]): Promise<Row[]>;
  /** The same rows as arrays, in the order of the statement's columns. */
  values(text: string, args?: readonly SqlValue[]): Promise<SqlValue[][]>;
  /** Runs a statement that returns no rows; `changes` counts the rows it touched. */
  run(text: string, args?: readonly SqlValue[]): Promise<{ changes: number }>;
}

/** The first column of all rows as strings, mostly ids. */
export async function firstColumn(sql: Sql, text: string, args?: readonly SqlValue[]): Promise<string[]> {
  return (await sql.values(text, args)).map(([value]) => String(value));
}

/** The first column of the first row as a number; 0 if there is no row. */
export async function firstNumber(sql: Sql, text: string, args?: readonly SqlValue[]): Promise<number> {
  return Number((await sql.values(text, args))[0]?.[0] ?? 0);
}

/** The first column of all rows as numbers, mostly integer keys. */
export async function firstKeys(sql: Sql, text: string, args?: readonly SqlValue[]): Promise<number[]> {
  return (await sql.values(text, args)).map(([value]) => Number(value));
}

/** Whether the statement returns any row. */
export async function hasRow(sql: Sql, text: string, args?: readonly SqlValue[]): Promise<boolean> {
  return (await sql.values(text, args)).length > 0;
}

/** The first row of a statement, or undefined. */
export async function firstRow<Row>(
  sql: Sql,
  text: string,
  args?: readonly SqlValue[],
): Promise<Row | undefined> {
  return (await sql.all<Row>(text, args))[0];
}

/**
 * Column expressions for rows passed as a JSON list of lists, `FROM json_each(?)`: the first `count` values of each.
 */
export function listedColumns(count: number): string {
  return Array.from({ length: count }, (_, at) => `json_extract(value, '$[${at}]')`).join(", ");
}
