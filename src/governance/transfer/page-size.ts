import type { Settings } from "../../config/load.ts";

/**
 * How many rows are read at once where a file gives so many. A row may hold strings of 100,000 characters, and a
 * database server that was told nothing else answers with 10 MB at most.
 */
export function pageSize({ dbUrl }: Pick<Settings, "dbUrl">, ofFile: number): number {
  return dbUrl === undefined ? ofFile : Math.ceil(ofFile / 10);
}
