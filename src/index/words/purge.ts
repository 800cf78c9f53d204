import type { Ground } from "../../ground.ts";
import { enqueue } from "../../jobs/jobs.ts";
import type { JobHandler } from "../../jobs/worker.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { firstNumber, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { minuteMs } from "../../time/durations.ts";

/*
 * The inverted index only marks documents as deleted; their words stay in its segments until these are merged, which
 * for large segments may take months of work. And the write-ahead log contains what was deleted until later writes
 * replace it. After a deletion on purpose, a job merges all segments into one, and empties the log.
 */

const purgeJobKind = "index.purge";

/** A step takes about 15 ms, and other writers wait no longer. */
const pagesPerWrite = 256;
/** While others use the log, as a long export does, each try makes writers wait for some tenths of a second. */
const retryAfterMs = 10_000;

/**
 * Enqueues the job that takes the last traces of deleted records out of the files; call `wakeJobs` after the commit. By
 * default it waits for a minute, so that many deletions in a row cause one run.
 */
export async function enqueuePurge(
  tx: Transaction,
  ground: Ground,
  { afterMs = minuteMs } = {},
): Promise<void> {
  await enqueue(tx, ground, { kind: purgeJobKind, key: "words", runAfter: ground.now() + afterMs });
}

/** `mostMs`: after that it goes back into the queue; unlimited by default. */
export function purgeHandler(ground: Ground, { mostMs = Number.POSITIVE_INFINITY } = {}): JobHandler {
  return {
    kind: purgeJobKind,
    isSlow: true,
    gathersWork: true,
    run: async () => {
      // A negative number begins a merge of all segments, a positive one goes on with it.
      let pages = -pagesPerWrite;
      const startedMs = performance.now();
      while (await ground.store.write(({ sql }) => mergeSome(sql, pages))) {
        if (performance.now() - startedMs > mostMs) throw putOff("there is no time for the whole merge");
        pages = pagesPerWrite;
      }
      if (!(await ground.store.emptyLog())) throw putOff("the write-ahead log is in use");
    },
  };
}

function putOff(why: string): MemsvcError {
  return new MemsvcError("unavailable", why, { extra: { retryAfterMs } });
}

/** Merges some pages; returns false if there was nothing to merge. */
async function mergeSome(sql: Sql, pages: number): Promise<boolean> {
  const before = await totalChanges(sql);
  await sql.run("INSERT INTO documents_fts (documents_fts, rank) VALUES ('merge', ?)", [pages]);
  // FTS5 counts one change for a merge that did nothing.
  return (await totalChanges(sql)) - before > 1;
}

function totalChanges(sql: Sql): Promise<number> {
  return firstNumber(sql, "SELECT total_changes()");
}
