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

/** After these steps everything is looked for: they write many records at once, or a new process begins to read. */
const ofTheWhole: readonly Step["kind"][] = ["restore", "import self", "reopen", "sweep", "bulk delete"];

/**
 * Plays a history. After every step the lists must be right and records must be found; everything else is checked at
 * the end, some of it again after the store was reopened.
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
