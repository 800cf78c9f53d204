import fc from "fast-check";
import { test } from "vitest";

const { MEMSVC_MODEL_RUNS: runs, MEMSVC_MODEL_SEED: seed } = process.env;
const byHand = runs !== undefined;
/** Fixed seeds, so that a failure is due to a change of the code. Runs by hand try other histories. */
const seeds = byHand ? [Number(seed ?? "1")] : [1, 2, 3];

/** Stops shrinking before the test's timeout, so that a failure is reported with the shortest history found so far. */
const shrinking = byHand ? {} : { interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true };

/**
 * A test that a promise holds for many random histories: `usually` is their number for each seed. The error of a
 * failure names the seed and the shortest history that still fails.
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
