import type { Sql } from "../store/sql.ts";

/*
 * FTS5 gathers words in memory and writes them as a segment when they are much; segments are merged as they become
 * many. Of a work that writes thousands of documents, four times as much makes a quarter of the segments, and the words
 * cost three quarters of what they cost otherwise, for some megabytes.
 */

const usualBytes = 1024 * 1024;
const largeBytes = 4 * 1024 * 1024;

/** Runs a work that writes many documents, in one transaction; when it fails, that has to be rolled back. */
export async function withLargeWordBuffer<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result> {
  await sql.run(setBuffer(largeBytes));
  const result = await work();
  await sql.run(setBuffer(usualBytes));
  return result;
}

/** FTS5 takes nothing but an integer, as which no driver hands over a number. */
function setBuffer(bytes: number): string {
  return `INSERT INTO documents_fts (documents_fts, rank) VALUES ('hashsize', ${bytes})`;
}
