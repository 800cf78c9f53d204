import type { Ground } from "../ground.ts";
import { objectIn } from "../store/json-columns.ts";
import { firstColumn, firstRow } from "../store/sql.ts";
import type { Transaction } from "../store/store.ts";
import { hourMs } from "../time/durations.ts";
import { claimerName, isGone } from "./claimer.ts";
import { type Job, type NewJob, retryDelaysMs, sweepKey } from "./jobs.ts";
import { claimMs } from "./renewed-claim.ts";

export interface DueJob extends Job {
  /** When it was due, in milliseconds since 1970. */
  readonly runAfter: number;
}

interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly payload: string;
  readonly runAfter: number;
  readonly attempts: number;
}

/**
 * Claims the oldest due job of the given kinds; undefined when there is none. `underWay`: ids of jobs that this process
 * already runs. Their claims may have run out, since a process does not renew them while the machine sleeps.
 */
export async function claimJob(
  ground: Ground,
  kinds: readonly string[],
  worker: string,
  underWay: readonly string[] = [],
): Promise<DueJob | undefined> {
  const now = ground.now();
  const looked = [now, JSON.stringify(underWay), JSON.stringify(kinds)];
  const due = await firstRow(ground.store.read.sql, dueJobs, looked);
  if (due === undefined) return undefined;
  return ground.store.write(async (tx) => {
    // Otherwise a job that crashes its process would be claimed again for ever. Sweeps are not marked as failed: they
    // are queued at every start anyway, and one whose end could not be stored would not run again before that.
    await tx.sql.run(
      `UPDATE jobs SET status = 'failed', error = 'its process ended before it did, every time', updated_at = ?1
       WHERE ${isAbandoned} AND attempts > ?3 AND key <> ?4`,
      [now, JSON.stringify(underWay), retryDelaysMs.length, sweepKey],
    );
    const [row] = await tx.sql.all<JobRow>(
      `UPDATE jobs SET status = 'running', attempts = attempts + 1, claimed_by = ?4, claimed_until = ?5, updated_at = ?1
       WHERE id = (${dueJobs}) RETURNING id, kind, key, payload, run_after AS runAfter, attempts`,
      [...looked, worker, now + claimMs],
    );
    return row === undefined ? undefined : { ...row, payload: objectIn(row.payload) };
  });
}

/**
 * No claim lasts longer. One that seems to was made before the clock was set back. The clocks of machines that share a
 * store differ by less.
 */
const longestClaimMs = hourMs;
/** Condition: the job's claim ran out by the time `?1`, and it is none of the list `?2`. */
const isAbandoned = `status = 'running' AND (claimed_until <= ?1 OR claimed_until > ?1 + ${longestClaimMs})
  AND id NOT IN (SELECT value FROM json_each(?2))`;
const dueJobs = `SELECT id FROM jobs
  WHERE kind IN (SELECT value FROM json_each(?3))
    AND ((status = 'queued' AND run_after <= ?1) OR (${isAbandoned}))
  ORDER BY run_after, id LIMIT 1`;

/**
 * Ends the claims of processes that have ended, so that their jobs go on at once. In a store on a server they are left
 * to expire, because they may be of other machines, whose process ids mean nothing here.
 */
export async function endClaimsOfGone({ store, now }: Ground): Promise<void> {
  if (!store.isFile) return;
  const claimers = await firstColumn(
    store.read.sql,
    "SELECT DISTINCT claimed_by FROM jobs WHERE status = 'running' AND claimed_by IS NOT NULL",
  );
  const gone = claimers.filter(isGone);
  if (gone.length === 0) return;
  await store.write((tx) =>
    tx.sql.run(
      "UPDATE jobs SET claimed_until = ?1 WHERE status = 'running' AND claimed_by IN (SELECT value FROM json_each(?2))",
      [now(), JSON.stringify(gone)],
    ),
  );
}

interface StartedWork extends Pick<NewJob, "kind" | "key" | "payload"> {
  /** If it replaces a queued job, it takes over what that has stored in its payload. */
  readonly goesOn?: true;
}

/**
 * Queues work as a job that this process has already claimed. It replaces a job for the same work that is queued, or
 * that was interrupted by the death of its process; the payload of an interrupted one is taken over, to go on with it.
 * A job that another process of this machine runs is left to that process. One that another machine may run is not: the
 * work may then be done twice, which it must bear.
 */
export async function startJob(
  ground: Ground,
  { kind, key, payload: asked, goesOn }: StartedWork,
): Promise<{ readonly started: Job } | { readonly elsewhere: Pick<Job, "id"> }> {
  const now = ground.now();
  const id = ground.newId("job");
  return ground.store.write(async (tx) => {
    const found = await unfinishedOf(tx, ground, { kind, key });
    const elsewhere = found.find(({ standing }) => standing === "elsewhere");
    if (elsewhere !== undefined) return { elsewhere };
    const idle = found.filter(({ standing }) => standing !== "beside");
    const noted = idle.find(({ standing }) => standing === "cut short" || goesOn === true)?.payload;
    const payload = { ...(noted === undefined ? {} : objectIn(noted)), ...asked };
    await tx.sql.run("DELETE FROM jobs WHERE id IN (SELECT value FROM json_each(?))", [
      JSON.stringify(idle.map((job) => job.id)),
    ]);
    await tx.sql.run(
      `INSERT INTO jobs (id, kind, key, payload, status, run_after, attempts, claimed_by, claimed_until, created_at, updated_at)
       VALUES (?1, ?2, ?3, ?4, 'running', ?5, 1, ?6, ?7, ?5, ?5)`,
      [id, kind, key, JSON.stringify(payload), now, claimerName(), now + claimMs],
    );
    return { started: { id, kind, key, payload, attempts: 1 } };
  });
}

interface Unfinished {
  readonly id: string;
  readonly payload: string;
  /** `cut short`: its process is gone. `beside`: runs in this process, or perhaps on another machine. */
  readonly standing: "waits" | "cut short" | "elsewhere" | "beside";
}

/** The queued and running jobs for the work, the last changed first. */
async function unfinishedOf(
  tx: Transaction,
  { store, now }: Ground,
  { kind, key }: Pick<Job, "kind" | "key">,
): Promise<Unfinished[]> {
  const rows = await tx.sql.all<Pick<JobRow, "id" | "payload"> & { claimer: string | null }>(
    `SELECT id, payload, CASE WHEN status = 'running' AND NOT (${isAbandoned}) THEN claimed_by END AS claimer FROM jobs
     WHERE kind = ?3 AND key = ?4 AND status IN ('queued', 'running') ORDER BY updated_at DESC, id DESC`,
    [now(), "[]", kind, key],
  );
  const standingOf = (claimer: string | null): Unfinished["standing"] => {
    if (claimer === null) return "waits";
    // A store on a server may be shared with other machines, whose process ids mean nothing here.
    if (claimer === claimerName() || !store.isFile) return "beside";
    return isGone(claimer) ? "cut short" : "elsewhere";
  };
  return rows.map(({ id, payload, claimer }) => ({ id, payload, standing: standingOf(claimer) }));
}
