import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";

/** A family whose records lose confidence unless they are confirmed. */
interface Decaying {
  /** Hides the decayed records; returns their ids. */
  dropDecayed(tx: Transaction): Promise<string[]>;
}

interface DecayingServices {
  readonly lessons: Decaying;
  readonly insights: Decaying;
  readonly audit: Audit;
}

/** Hides records that decayed and were never confirmed; run by the daily sweep. Returns how many, by kind. */
export async function dropDecayed(
  { store }: Ground,
  { lessons, insights, audit }: DecayingServices,
): Promise<{ lessons: number; insights: number }> {
  return store.write(async (tx) => {
    const decayedLessons = await lessons.dropDecayed(tx);
    const decayedInsights = await insights.dropDecayed(tx);
    const counts = { lessons: decayedLessons.length, insights: decayedInsights.length };
    const ids = [...decayedLessons, ...decayedInsights];
    if (ids.length > 0) await audit.recordSweep(tx, ids, counts);
    return counts;
  });
}
