import { type Check, recordsFound } from "../../governance/diagnostics/check.ts";
import type { Ground } from "../../ground.ts";
import { deleteSpentSignals, signalSweepMs, spentSignals } from "./expiry.ts";

/** Checks of `doctor` on signals. */
export function signalChecks({ now }: Pick<Ground, "now">): readonly Check[] {
  return [
    {
      category: "signals",
      name: "expired-signal",
      // A signal that became due within the last hour is no fault: the sweep has not run since.
      find: recordsFound(
        spentSignals,
        "fail",
        (count) => `${count} expired more than a week ago and are still there`,
        () => [now() - signalSweepMs],
      ),
      heal: async (tx) => {
        const ids = await deleteSpentSignals(tx.sql, now());
        return { details: ids.map((id) => `signal ${id} is deleted`) };
      },
    },
  ];
}
