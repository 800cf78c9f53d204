import { type Check, recordsFound } from "../../governance/diagnostics/check.ts";
import type { Ground } from "../../ground.ts";
import { deleteSpentSignals, signalSweepMs, spentSignals } from "./expiry.ts";

/** What can be wrong with signals. */
export function signalChecks({ now }: Pick<Ground, "now">): readonly Check[] {
  return [
    {
      category: "signals",
      name: "expired-signal",
      // Before that the sweep has not come yet.
      find: recordsFound(
        spentSignals,
        "fail",
        (count) => `${count} expired more than a week ago and are still there`,
        () => [now() - signalSweepMs],
      ),
      heal: async (tx) => {
        const ids = await deleteSpentSignals(tx.sql, now());
        return { fixed: ids.length, details: ids.map((id) => `signal ${id} is deleted`) };
      },
    },
  ];
}
