import type { Ground } from "../ground.ts";
import type { Transaction } from "../store/store.ts";
import { dayMs, hourMs, minuteMs } from "../time/durations.ts";
import type { DueJob } from "./claim-job.ts";
import { postponeJob, savePayload } from "./jobs.ts";

/*
 * A clock may be wrong for a while, as with an empty battery or before a time server answers. When it is set back, what
 * waits goes on as if it had been right. While it is ahead, everything looks old, and what was deleted for that is gone
 * when it is right again: what deletes by age, and comes much later than it was due, waits once more. By then either the
 * clock was set right or the machine was off for so long.
 */

const believedLatenessMs = 7 * dayMs;
const heldForMs = hourMs;
/** In the payload of a job that was held: its next time is believed, unless the clock is set back before. */
const heldMark = "heldAt";

/** Less than this a clock is set back now and then, and so far the clocks of machines that share a store may differ. */
export const clockPlayMs = minuteMs;

/** Lets what was put into the queue by a clock that was set back since wait as long as it was to wait, from now on. */
export async function followClock(tx: Transaction, { now }: Ground): Promise<void> {
  await tx.sql.run(
    `UPDATE jobs SET run_after = ?1 + max(0, run_after - updated_at), updated_at = ?1,
       payload = json_remove(payload, '$.${heldMark}')
     WHERE status = 'queued' AND updated_at > ?1 + ?2`,
    [now(), clockPlayMs],
  );
}

/**
 * Puts a job that deletes by age back into the queue where it comes so late that the clock may be wrong. Returns whether it
 * did.
 */
export async function holdIfLate(ground: Ground, job: DueJob): Promise<boolean> {
  const { kind, runAfter, payload } = job;
  const now = ground.now();
  if (heldMark in payload || now - runAfter <= believedLatenessMs) return false;
  const reason = "it comes long after it was due, and waits in case the clock is wrong";
  ground.log("info", "a sweep is held", { kind, due: new Date(runAfter).toISOString(), reason });
  await savePayload(ground, job, { ...payload, [heldMark]: now });
  await postponeJob(ground, job, { reason, delayMs: heldForMs });
  return true;
}
