import type { Ground } from "../../ground.ts";
import { requeueFailed, requeueStuck } from "../../jobs/requeue.ts";
import { minuteMs } from "../../time/durations.ts";
import { type Check, recordsFound } from "./check.ts";

/** A claim that expired this long ago means that no worker has taken the job up again. */
const stuckAfterMs = 10 * minuteMs;

/** Checks of background jobs. */
export function jobChecks(ground: Ground): Check[] {
  const stuckSince = () => ground.now() - stuckAfterMs;
  return [
    {
      category: "jobs",
      name: "failed-job",
      find: recordsFound(
        "SELECT id FROM jobs WHERE status = 'failed' ORDER BY id",
        "warn",
        (count) => `${count} failed for good`,
      ),
      heal: async (tx) => {
        const ids = await requeueFailed(tx, ground);
        return { details: ids.map((id) => `job ${id} is tried again`) };
      },
    },
    {
      category: "jobs",
      name: "stuck-job",
      find: recordsFound(
        "SELECT id FROM jobs WHERE status = 'running' AND claimed_until < ? ORDER BY id",
        "fail",
        (count) => `${count} were begun and never ended`,
        () => [stuckSince()],
      ),
      heal: async (tx) => {
        const ids = await requeueStuck(tx, ground, stuckSince());
        return { details: ids.map((id) => `job ${id} is taken up again`) };
      },
    },
  ];
}
