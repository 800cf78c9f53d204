import fc from "fast-check";
import { carryOut } from "./carry-out.ts";
import { expectCarriedOver, expectFound, expectListed, expectNoSecrets, expectSound } from "./invariants.ts";
import { type Step, step } from "./steps.ts";
import { World } from "./world.ts";

/** Lives through a history; the lists must be right after every step, all else at its end and after a reopening. */
export async function live(history: readonly Step[]): Promise<void> {
  const world = await World.open();
  try {
    for (const one of history) {
      await carryOut(world, one);
      await expectListed(world);
    }
    await expectFound(world);
    await expectSound(world);
    await expectCarriedOver(world);
    await expectNoSecrets(world);
    await world.reopen();
    await expectListed(world);
    await expectFound(world);
  } finally {
    await world.close();
  }
}

/** Many histories from one seed; the error of a failure holds the seed and the shortest history that still fails. */
export async function liveThrough(seed: number, numRuns: number): Promise<void> {
  const history = fc.array(step as fc.Arbitrary<Step>, { minLength: 5, maxLength: 40, size: "max" });
  await fc.assert(fc.asyncProperty(history, live), { seed, numRuns });
}
