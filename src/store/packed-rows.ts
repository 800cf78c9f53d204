import type { Sql, SqlValue } from "./sql.ts";

/**
 * A SELECT of many short rows as a statement of one row: the given columns of each as a JSON array. The driver takes
 * longer over a row than the database over finding it, so hundreds of rows cost half of what they cost one by one.
 * Numbers with a fraction come with fifteen digits unless `exact` asks for them, and blobs cannot come this way.
 */
export function packed(columns: readonly string[], select: string): string {
  return `SELECT json_group_array(json_array(${columns.join(", ")})) AS packed FROM (${select})`;
}

/** A column of numbers with all of their digits, for `packed`; it must not be null. */
export function exact(column: string): string {
  return `json(printf('%!.17g', ${column}))`;
}

/** The rows of a statement that `packed` made, in its order. The caller states the types of its columns. */
export async function packedRows<Fields extends readonly SqlValue[]>(
  sql: Sql,
  text: string,
  args: readonly SqlValue[],
): Promise<Fields[]> {
  const [row] = await sql.all<{ packed: string }>(text, args);
  return JSON.parse(row?.packed ?? "[]") as Fields[];
}
