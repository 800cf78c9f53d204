import { type Column, type SQL, sql as text } from "drizzle-orm";

/** The condition that a column with a JSON array contains a value. */
export function listContains(column: Column, value: string): SQL {
  return text`EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${value})`;
}
