import type { Ground } from "../ground.ts";
import { errorTable, isMemsvcError } from "../operation/errors.ts";
import { redactText } from "../text/redaction/redact.ts";
import { failJob, finishJob, type Job, type NewJob, postponeJob } from "./jobs.ts";
import { withClaim } from "./renewed-claim.ts";
import { retryAfterMs } from "./retry-after.ts";

/**
 * How the run of a job ended. `waits`: it cannot go on yet, which is no failure. `refused`: it asks for something that
 * cannot be done, as with an unknown record, so a retry would fail the same way.
 */
type Outcome<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "waits" | "refused" | "failed"; readonly error: unknown };

interface Terms {
  /** Whether errors of the request are refusals; otherwise they are failures, too. */
  readonly mayBeRefused?: boolean | undefined;
  /** Whether a failure now is followed by another try, if any is left; it is unless given. */
  readonly isTriedAgain?: () => boolean;
  /** For sweeps: the next run. */
  readonly next?: () => NewJob | undefined;
}

/** Runs a claimed job, and stores how that ended. Errors: those of the store. */
export async function carryOut<Result>(
  ground: Ground,
  job: Job,
  run: () => Promise<Result>,
  terms: Terms,
): Promise<Outcome<Result>> {
  try {
    const result = await withClaim(ground, job, run);
    await finishJob(ground, job, { next: terms.next?.() });
    return { kind: "done", result };
  } catch (error) {
    return { kind: await storeFailure(ground, job, error, terms), error };
  }
}

async function storeFailure(
  ground: Ground,
  job: Job,
  error: unknown,
  { mayBeRefused = false, isTriedAgain, next }: Terms,
): Promise<"waits" | "refused" | "failed"> {
  const { kind, id, attempts } = job;
  // Shown in the status and stored with the job; a message may quote an address or an answer.
  const reason = redactText(String(error));
  if (mayBeRefused && isRefusal(error)) {
    await finishJob(ground, job);
    return "refused";
  }
  const delayMs = retryAfterMs(error);
  if (delayMs !== undefined) {
    ground.log("info", "a job waits", { kind, job: id, delayMs, reason });
    await postponeJob(ground, job, { reason, delayMs, next: next?.() });
    return "waits";
  }
  ground.log("warn", "a job failed", { kind, job: id, attempts, error: reason });
  await failJob(ground, job, reason, { again: isTriedAgain?.() ?? true, next: next?.() });
  return "failed";
}

function isRefusal(error: unknown): boolean {
  return isMemsvcError(error) && errorTable[error.code].status < 500;
}
