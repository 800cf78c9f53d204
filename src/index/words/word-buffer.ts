import type { Sql } from "../../store/sql.ts";

/*
 * FTS5 gathers words in memory and writes them as a segment when its buffer (`hashsize`, in bytes) is full. A bulk
 * write of thousands of documents uses a buffer of four times the usual size: that makes a quarter of the segments, and
 * indexing takes three quarters of the time, for a few megabytes of memory. Meanwhile FTS5 merges segments by itself.
 */

const usual = { hashsize: 1024 * 1024, automerge: 0 };
const large = { hashsize: 4 * 1024 * 1024, automerge: 4 };

/** Runs work that writes many documents in one transaction. If it fails, the transaction has to be rolled back. */
export async function withLargeWordBuffer<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result> {
  await configure(sql, large);
  const result = await work();
  await configure(sql, usual);
  return result;
}

/** FTS5 accepts only integers here, but drivers bind numbers as floats; so the value is part of the statement. */
async function configure(sql: Sql, settings: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await sql.run(`INSERT INTO documents_fts (documents_fts, rank) VALUES ('${name}', ${value})`);
}
