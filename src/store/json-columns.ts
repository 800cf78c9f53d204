/*
 * Columns that hold JSON, for statements that do not go through the query builder. The JSON is not validated: only
 * memsvc writes it, or SQLite makes it of its own rows.
 */

/** Parses a column that holds a list of strings. */
export function textsIn(json: string): string[] {
  return JSON.parse(json) as string[];
}

/** Parses a column that holds an object. */
export function objectIn(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}

/** A row type in which the given fields are still JSON text. */
export type WithJson<Row, Field extends keyof Row> = Omit<Row, Field> & { readonly [Name in Field]: string };
