import type { Ground } from "../ground.ts";
import type { Job } from "./jobs.ts";

/**
 * How long a claim holds without being renewed. The work of a process that died is not taken up before that, unless a
 * daemon of the same machine starts.
 */
export const claimMs = 60_000;
const renewEveryMs = 15_000;

/** Runs the work of a claimed job and renews its claim for as long as it takes. */
export async function withClaim<Result>(
  ground: Ground,
  job: Job,
  work: () => Promise<Result>,
): Promise<Result> {
  const renewal = setInterval(() => {
    renewClaim(ground, job).catch((error: unknown) =>
      ground.log("warn", "the claim of a job could not be renewed", { job: job.id, error: String(error) }),
    );
  }, renewEveryMs);
  renewal.unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}

async function renewClaim({ store, now }: Ground, job: Job): Promise<void> {
  await store.write((tx) =>
    tx.sql.run("UPDATE jobs SET claimed_until = ? WHERE id = ? AND status = 'running'", [
      now() + claimMs,
      job.id,
    ]),
  );
}
