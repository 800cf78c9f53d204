import type { Ground } from "../ground.ts";
import { firstRow, hasRow } from "../store/sql.ts";
import type { Transaction } from "../store/store.ts";
import { dayMs, hourMs } from "../time/durations.ts";

/*
 * Work that outlives a request is a row: written in the transaction that asks for it, claimed with a guarded update,
 * retried with growing pauses, and kept when it failed for good. When a worker dies, its claim runs out and another
 * worker takes the job; so a job may run twice, and its effect must bear that.
 */

/** Waits before the second, third and fourth try. */
export const retryDelaysMs = [30_000, 120_000, 600_000] as const;
const shortestDelayMs = 1_000;
const keepDoneMs = dayMs;
const keepFailedMs = 30 * dayMs;

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly attempts: number;
}

export interface NewJob {
  readonly kind: string;
  /** A queued job of the same kind and key counts as the same work; the new job joins it. */
  readonly key: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970; at once unless given. */
  readonly runAfter?: number;
}

/** Key of sweeps, the jobs that repeat. */
export const sweepKey = "sweep";

interface JobCounts {
  /** Does not count sweeps that are not due yet, for which nobody waits. */
  readonly queued: number;
  readonly running: number;
  readonly failed: number;
  readonly oldestQueuedAt: number | undefined;
}

/** Puts work into the queue, in the transaction that makes it necessary. Joins a job that already waits. */
export async function enqueue(tx: Transaction, ground: Ground, job: NewJob): Promise<void> {
  const now = ground.now();
  await tx.sql.run(
    `INSERT INTO jobs (id, kind, key, payload, status, run_after, attempts, created_at, updated_at)
     VALUES (?, ?, ?, ?, 'queued', ?, 0, ?6, ?6)
     ON CONFLICT (kind, key) WHERE status = 'queued' DO UPDATE SET run_after = min(run_after, excluded.run_after)`,
    [ground.newId("job"), job.kind, job.key, JSON.stringify(job.payload ?? {}), job.runAfter ?? now, now],
  );
}

/** `next`: the next run of a sweep, queued in the transaction in which this run ends. */
interface Ending {
  readonly next?: NewJob | undefined;
}

export async function finishJob(ground: Ground, job: Job, { next }: Ending = {}): Promise<void> {
  await ground.store.write(async (tx) => {
    await tx.sql.run("UPDATE jobs SET status = 'done', error = NULL, updated_at = ? WHERE id = ?", [
      ground.now(),
      job.id,
    ]);
    if (next !== undefined) await enqueue(tx, ground, next);
  });
}

/** Stores in a running job's payload what its next try has to know. */
export async function savePayload(
  ground: Ground,
  job: Job,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  await ground.store.write((tx) => savePayloadIn(tx, job, payload));
}

/** The same within the transaction of the work that the next try must not repeat. */
export async function savePayloadIn(
  tx: Transaction,
  job: Job,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.sql.run("UPDATE jobs SET payload = ? WHERE id = ?", [JSON.stringify(payload), job.id]);
}

/** Delays a queued job of the kind and key until at least the given time. */
export async function delayJob(
  tx: Transaction,
  { now }: Ground,
  { kind, key }: Pick<Job, "kind" | "key">,
  until: number,
): Promise<void> {
  await tx.sql.run(
    `UPDATE jobs SET run_after = max(run_after, ?), updated_at = ?
     WHERE kind = ? AND key = ? AND status = 'queued'`,
    [until, now(), kind, key],
  );
}

/** Makes queued jobs of the given kinds due now. */
export async function hastenJobs({ store, now }: Ground, kinds: readonly string[]): Promise<void> {
  const later = "status = 'queued' AND kind IN (SELECT value FROM json_each(?1)) AND run_after > ?2";
  const args = [JSON.stringify(kinds), now()];
  if (!(await hasRow(store.read.sql, `SELECT 1 FROM jobs WHERE ${later}`, args))) return;
  await store.write((tx) => tx.sql.run(`UPDATE jobs SET run_after = ?2 WHERE ${later}`, args));
}

/** Puts back a job that could not be done yet, through no fault of its own: the try does not count. */
export async function postponeJob(
  ground: Ground,
  job: Job,
  { delayMs, ...ending }: Ending & { readonly reason: string; readonly delayMs: number },
): Promise<void> {
  // At least a second, or a worker would take the job again and again.
  const waitMs = Math.max(shortestDelayMs, delayMs);
  await putBack(ground, job, { ...ending, delayMs: waitMs, attempts: job.attempts - 1 });
}

/** Puts back a failed job for a later try, or marks it as failed after the last try or when `again` is false. */
export async function failJob(
  ground: Ground,
  job: Job,
  reason: string,
  { again = true, next }: Ending & { readonly again?: boolean } = {},
): Promise<void> {
  const delayMs = again ? retryDelaysMs[job.attempts - 1] : undefined;
  await putBack(ground, job, { reason, delayMs, attempts: job.attempts, next });
}

interface Return extends Ending {
  readonly reason: string;
  /** Undefined when it is not to be tried again. */
  readonly delayMs: number | undefined;
  readonly attempts: number;
}

async function putBack(ground: Ground, job: Job, { reason, delayMs, attempts, next }: Return): Promise<void> {
  const now = ground.now();
  await ground.store.write(async (tx) => {
    // If a newer job for the same work is queued by now, that one replaces the retry of this one.
    const hasTwin = await hasRow(
      tx.sql,
      "SELECT 1 FROM jobs WHERE kind = ? AND key = ? AND status = 'queued'",
      [job.kind, job.key],
    );
    const status = hasTwin ? "done" : delayMs === undefined ? "failed" : "queued";
    await tx.sql.run(
      "UPDATE jobs SET status = ?, run_after = ?, attempts = ?, error = ?, updated_at = ? WHERE id = ?",
      [status, now + (delayMs ?? 0), attempts, reason.slice(0, 500), now, job.id],
    );
    if (next !== undefined) await enqueue(tx, ground, next);
  });
}

/** When the next job of the given kinds is due, except those that this process runs; undefined when there is none. */
export async function nextDue(
  ground: Ground,
  kinds: readonly string[],
  underWay: readonly string[] = [],
): Promise<number | undefined> {
  const row = await firstRow<{ due: number | null }>(
    ground.store.read.sql,
    `SELECT min(CASE status WHEN 'queued' THEN run_after ELSE claimed_until END) AS due FROM jobs
     WHERE kind IN (SELECT value FROM json_each(?1))
       AND (status = 'queued' OR (status = 'running' AND id NOT IN (SELECT value FROM json_each(?2))))`,
    [JSON.stringify(kinds), JSON.stringify(underWay)],
  );
  return row?.due ?? undefined;
}

/** Deletes finished jobs after a day and failed ones after thirty. Returns how many were deleted. */
export async function dropOldJobs(ground: Ground): Promise<number> {
  const now = ground.now();
  const { changes } = await ground.store.write((tx) =>
    tx.sql.run(
      "DELETE FROM jobs WHERE (status = 'done' AND updated_at < ?) OR (status = 'failed' AND updated_at < ?)",
      [now - keepDoneMs, now - keepFailedMs],
    ),
  );
  return changes;
}

/**
 * Deletes queued sweeps of features that were switched off: no worker takes them, and they would count as queued for
 * ever. Not in a store on a server, where they may belong to another machine.
 */
export async function dropUnwantedSweeps({ store }: Ground, wanted: readonly string[]): Promise<void> {
  if (!store.isFile) return;
  await store.write((tx) =>
    tx.sql.run(
      `DELETE FROM jobs WHERE key = ? AND status = 'queued' AND kind LIKE 'sweep.%'
         AND kind NOT IN (SELECT value FROM json_each(?))`,
      [sweepKey, JSON.stringify(wanted)],
    ),
  );
}

/**
 * Sweeps count as queued when they are due, and work that is planned for later, as the purge on the day after a sweep,
 * in its last hour.
 */
export async function countJobs(ground: Ground): Promise<JobCounts> {
  const now = ground.now();
  const rows = await ground.store.read.sql.all<{ status: string; n: number; oldest: number }>(
    `SELECT status, count(*) AS n, min(created_at) AS oldest FROM jobs
     WHERE status <> 'done' AND NOT (status = 'queued' AND key = ?1 AND run_after > ?2)
       AND NOT (status = 'queued' AND error IS NULL AND run_after > ?3) GROUP BY status`,
    [sweepKey, now, now + hourMs],
  );
  const count = (status: string) => rows.find((row) => row.status === status)?.n ?? 0;
  return {
    queued: count("queued"),
    running: count("running"),
    failed: count("failed"),
    oldestQueuedAt: rows.find(({ status }) => status === "queued")?.oldest,
  };
}
