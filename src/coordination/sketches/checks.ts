import { type Check, recordsFound } from "../../governance/diagnostics/check.ts";
import type { Ground } from "../../ground.ts";
import { discardExpired, overdueSketches } from "./discard.ts";

/** Checks of `doctor` on sketches. */
export function sketchChecks(ground: Ground): readonly Check[] {
  return [
    {
      category: "sketches",
      name: "expired-sketch",
      find: recordsFound(
        overdueSketches,
        "fail",
        (count) => `${count} still active after their time`,
        () => [ground.now()],
      ),
      heal: async (tx) => {
        const { sketchIds } = await discardExpired(tx, ground);
        return { details: sketchIds.map((id) => `sketch ${id} is discarded`) };
      },
    },
  ];
}
