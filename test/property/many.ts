import fc from "fast-check";
import { test } from "vitest";

const { MEMSVC_MODEL_RUNS: runs, MEMSVC_MODEL_SEED: seed } = process.env;
const byHand = runs !== undefined;
/** The same ones each time: they tell whether a change broke something. Other histories are for runs by hand. */
const seeds = byHand ? [Number(seed ?? "1")] : [1, 2, 3];

/** A failure is told, with the shortest history by then, before the test's time is over. */
const shrinking = byHand ? {} : { interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true };

/**
 * A promise that holds through many histories, `usually` so many from each seed; the error of a failure holds the seed
 * and the shortest history that still fails.
 */
export function testOfHistories<T>(
  promise: string,
  history: fc.Arbitrary<T>,
  live: (history: T) => Promise<void>,
  usually: number,
): void {
  test.each(seeds)(`${promise}: seed %i`, byHand ? { timeout: 86_400_000 } : {}, (one) =>
    fc.assert(fc.asyncProperty(history, live), {
      seed: one,
      numRuns: Number(runs ?? usually),
      ...shrinking,
    }),
  );
}
