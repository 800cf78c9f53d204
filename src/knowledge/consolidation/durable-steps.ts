import * as z from "zod";
import type { Ground } from "../../ground.ts";
import { type Job, savePayloadIn } from "../../jobs/jobs.ts";
import type { Transaction } from "../../store/store.ts";

/*
 * A run is a sequence of steps. Each is first planned without a transaction (this may ask a model), then
 * written in one. The same transaction marks the step as done in the job's row, so a run that is resumed
 * after a crash does nothing twice and leaves nothing half done.
 */

export const StepResult = z.object({
  counts: z.record(z.string(), z.number()),
  /** The model provider, or `extractive`; absent when nothing was made. */
  provider: z.string().optional(),
  /** Why there was nothing to do. */
  skipped: z.string().optional(),
  warning: z.string().optional(),
  /** Whether words and tags were used instead of the graph. */
  usedFallback: z.boolean().optional(),
  /** The records that were made or changed. */
  targetIds: z.array(z.string()),
});
export type StepResult = z.infer<typeof StepResult>;

/** Writes the result of a step that was planned. */
export type Plan = (tx: Transaction) => Promise<StepResult>;

/** What is saved with the job. */
const Saved = z.object({
  done: z.record(z.string(), StepResult).catch(() => ({})),
  beganAt: z.number().optional().catch(undefined),
});

export function skippedPlan(reason: string): Plan {
  return async () => ({ counts: {}, skipped: reason, targetIds: [] });
}

export class DurableSteps {
  /** When the first step that counts began: what happened since then may be missing from the results. */
  readonly beganAt: number;
  readonly #ground: Ground;
  readonly #job: Job;
  readonly #done: Record<string, StepResult>;

  constructor(ground: Ground, job: Job) {
    this.#ground = ground;
    this.#job = job;
    const { done, beganAt } = Saved.parse(job.payload);
    this.#done = done;
    this.beganAt = beganAt ?? ground.now();
  }

  /** The results of steps that an earlier attempt has done, by the prefix of their names. */
  done(prefix: string): StepResult[] {
    return Object.entries(this.#done).flatMap(([name, result]) => (name.startsWith(prefix) ? [result] : []));
  }

  isDone(name: string): boolean {
    return this.#done[name] !== undefined;
  }

  /** Runs a step and returns its result, or that of an earlier attempt that has done the step. */
  async take(name: string, think: () => Promise<Plan>): Promise<StepResult> {
    const known = this.#done[name];
    if (known !== undefined) return known;
    const plan = await think();
    const result = await this.#ground.store.writeAlone(async (tx) => {
      const written = await plan(tx);
      await savePayloadIn(tx, this.#job, {
        ...this.#job.payload,
        done: { ...this.#done, [name]: written },
        beganAt: this.beganAt,
      });
      return written;
    });
    this.#done[name] = result;
    return result;
  }
}
