import * as z from "zod";
import type { Ground } from "../../ground.ts";
import { type Job, savePayloadIn } from "../../jobs/jobs.ts";
import type { Transaction } from "../../store/store.ts";

/*
 * A run is a row of steps, each of which is thought out first, without a transaction, and then written in one. The
 * same transaction notes in the job's row that the step is done, so a run that is taken up again after a crash does
 * nothing twice and leaves nothing half done.
 */

export const StepResult = z.object({
  counts: z.record(z.string(), z.number()),
  /** Who made it; absent where there was nothing to make. */
  provider: z.string().optional(),
  /** Why there was nothing to do. */
  skipped: z.string().optional(),
  warning: z.string().optional(),
  /** Whether words and tags took the place of the graph. */
  usedFallback: z.boolean().optional(),
  /** Records that it made or changed. */
  targetIds: z.array(z.string()),
});
export type StepResult = z.infer<typeof StepResult>;

/** A step that was thought out and waits to be written. */
export type Plan = (tx: Transaction) => Promise<StepResult>;

const Done = z.record(z.string(), StepResult);

export function skippedPlan(reason: string): Plan {
  return async () => ({ counts: {}, skipped: reason, targetIds: [] });
}

export class DurableSteps {
  readonly #ground: Ground;
  readonly #job: Job;
  readonly #done: Record<string, StepResult>;

  constructor(ground: Ground, job: Job) {
    this.#ground = ground;
    this.#job = job;
    this.#done = Done.catch({}).parse(job.payload.done);
  }

  /** Results of an earlier try's steps whose names begin so. */
  done(prefix: string): StepResult[] {
    return Object.entries(this.#done).flatMap(([name, result]) => (name.startsWith(prefix) ? [result] : []));
  }

  /** The result of a step, which is taken unless an earlier try has done it. */
  async take(name: string, think: () => Promise<Plan>): Promise<StepResult> {
    const known = this.#done[name];
    if (known !== undefined) return known;
    const plan = await think();
    const result = await this.#ground.store.writeAlone(async (tx) => {
      const written = await plan(tx);
      await savePayloadIn(tx, this.#job, {
        ...this.#job.payload,
        done: { ...this.#done, [name]: written },
      });
      return written;
    });
    this.#done[name] = result;
    return result;
  }
}
