import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";

/** A family whose records decay when nothing confirms them. */
interface Decaying {
  /** Hides what has decayed; returns its ids. */
  dropDecayed(tx: Transaction): Promise<string[]>;
}

interface DecayingServices {
  readonly lessons: Decaying;
  readonly insights: Decaying;
  readonly audit: Audit;
}

/** Drops what has decayed and was never confirmed: the daily sweep. Returns how many records it hid, by kind. */
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
