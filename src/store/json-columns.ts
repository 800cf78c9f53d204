/*
 * Columns that hold JSON, for statements that are read without the query builder. memsvc alone writes them, or SQLite
 * makes them of its own rows, so what they hold is taken at its word.
 */

/** The list of texts in a column. */
export function textsIn(json: string): string[] {
  return JSON.parse(json) as string[];
}

/** The object in a column. */
export function objectIn(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}

/** A row whose lists come as JSON. */
export type WithJson<Row, Field extends keyof Row> = Omit<Row, Field> & { readonly [Name in Field]: string };
