import fc from "fast-check";
import { testOfHistories } from "../many.ts";
import { World } from "../world.ts";
import { carryOut, emptyOffice } from "./carry-out.ts";
import { expectShown } from "./shown.ts";
import { type Step, step } from "./steps.ts";

const history = fc.array(step, { minLength: 5, maxLength: 40, size: "max" });

async function live(history: readonly Step[]): Promise<void> {
  const office = emptyOffice(await World.open());
  try {
    for (const one of history) {
      await carryOut(office, one);
      await expectShown(office.world, office.work);
    }
  } finally {
    await office.world.close();
  }
}

testOfHistories(
  "the work shown to every agent matches a model after every step of any history",
  history,
  live,
  1,
);
