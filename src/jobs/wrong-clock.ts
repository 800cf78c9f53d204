import type { Ground } from "../ground.ts";
import { firstRow } from "../store/sql.ts";
import type { Transaction } from "../store/store.ts";
import { dayMs, minuteMs } from "../time/durations.ts";
import type { DueJob } from "./claim-job.ts";
import { postponeJob, savePayload, sweepKey } from "./jobs.ts";

/*
 * The clock may be wrong for a while, as with an empty battery or before a time server answers. When it was ahead and
 * is set back, queued jobs keep the delays that they had. While it is ahead, everything looks old, and what is deleted
 * for that is lost. So a job that deletes by age and comes much later than it was due is put off once, for a day, and a
 * new start of the daemon does not shorten that. By then either the clock was set right, or it had been right all along
 * and the machine was off for so long.
 */

const believedLatenessMs = 7 * dayMs;
const heldForMs = dayMs;
/** In the payload of a job that was put off: when that was. Removed when the clock is set back. */
const heldMark = "heldAt";

/** Tolerance: small corrections of the clock, and differences between machines that share a store, stay below this. */
export const clockPlayMs = minuteMs;

/**
 * Schedules jobs anew that were queued before the clock was set back: each keeps its delay, counted from now. Returns a
 * time that the clock did not reach before; undefined if it was not set back.
 */
export async function followClock(tx: Transaction, { now }: Ground): Promise<number | undefined> {
  const isAhead = "status = 'queued' AND updated_at > ?1 + ?2";
  const args = [now(), clockPlayMs];
  // The earliest sweep would have run by then.
  const row = await firstRow<{ until: number | null }>(
    tx.sql,
    `SELECT coalesce(min(CASE key WHEN ?3 THEN run_after END), max(updated_at)) AS until FROM jobs WHERE ${isAhead}`,
    [...args, sweepKey],
  );
  if (typeof row?.until !== "number") return undefined;
  await tx.sql.run(
    `UPDATE jobs SET run_after = ?1 + max(0, run_after - updated_at), updated_at = ?1,
       payload = json_remove(payload, '$.${heldMark}')
     WHERE ${isAhead}`,
    args,
  );
  return row.until;
}

/** Puts off a job that deletes by age and comes so late that the clock may be wrong. Returns whether it did. */
export async function holdIfLate(ground: Ground, job: DueJob): Promise<boolean> {
  const { kind, runAfter, payload } = job;
  const now = ground.now();
  const held = payload[heldMark];
  if (held === undefined && now - runAfter <= believedLatenessMs) return false;
  const heldAt = typeof held === "number" ? held : now;
  const delayMs = heldAt + heldForMs - now;
  if (delayMs <= 0) return false;
  const reason = "it comes long after it was due, and waits in case the clock is wrong";
  if (held === undefined) {
    ground.log("info", "a sweep is held", { kind, due: new Date(runAfter).toISOString(), reason });
    await savePayload(ground, job, { ...payload, [heldMark]: heldAt });
  }
  await postponeJob(ground, job, { reason, delayMs });
  return true;
}
