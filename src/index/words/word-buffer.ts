import type { Sql } from "../../store/sql.ts";

/*
 * FTS5 gathers words in memory and writes them as a segment when they are much; segments are merged as they become
 * many. Of a work that writes thousands of documents, four times as much makes a quarter of the segments, and the words
 * cost three quarters of what they cost otherwise, for some megabytes. FTS5 merges them by itself meanwhile.
 */

const usual = { hashsize: 1024 * 1024, automerge: 0 };
const large = { hashsize: 4 * 1024 * 1024, automerge: 4 };

/** Runs a work that writes many documents, in one transaction; when it fails, that has to be rolled back. */
export async function withLargeWordBuffer<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result> {
  await configure(sql, large);
  const result = await work();
  await configure(sql, usual);
  return result;
}

/** FTS5 takes nothing but an integer, as which no driver hands over a number. */
async function configure(sql: Sql, settings: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await sql.run(`INSERT INTO documents_fts (documents_fts, rank) VALUES ('${name}', ${value})`);
}
