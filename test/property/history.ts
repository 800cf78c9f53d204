import { carryOut } from "./carry-out.ts";
import {
  expectCarriedOver,
  expectFound,
  expectFoundAtOnce,
  expectListed,
  expectNoSecrets,
  expectSound,
} from "./invariants.ts";
import type { Step } from "./steps.ts";
import { World } from "./world.ts";

/** Whatever they leave was written by other ways than one record at a time, or is read by a process that has just begun. */
const ofTheWhole: readonly Step["kind"][] = ["restore", "import self", "reopen", "sweep", "bulk delete"];

/**
 * Lives through a history; the lists must be right after every step, and what is there must be found; all else at its end
 * and after a reopening.
 */
export async function live(history: readonly Step[]): Promise<void> {
  const world = await World.open();
  try {
    for (const [at, one] of history.entries()) {
      await carryOut(world, one);
      await expectListed(world);
      await expectFoundAtOnce(world, at, ofTheWhole.includes(one.kind));
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
