import type { Audit } from "../governance/audit/audit.ts";
import type { Ground } from "../ground.ts";
import type { Transaction } from "../store/store.ts";

/** A family whose records fade when nothing confirms them. */
interface Fading {
  /** Hides what has faded away; returns its ids. */
  dropFaded(tx: Transaction): Promise<string[]>;
}

interface FadingServices {
  readonly lessons: Fading;
  readonly insights: Fading;
  readonly audit: Audit;
}

/** Drops what has faded and was never confirmed: the daily sweep. Returns how many records it hid, by kind. */
export async function dropFaded(
  { store }: Ground,
  { lessons, insights, audit }: FadingServices,
): Promise<{ lessons: number; insights: number }> {
  return store.write(async (tx) => {
    const fadedLessons = await lessons.dropFaded(tx);
    const fadedInsights = await insights.dropFaded(tx);
    const counts = { lessons: fadedLessons.length, insights: fadedInsights.length };
    const ids = [...fadedLessons, ...fadedInsights];
    if (ids.length > 0) {
      await audit.record(tx, {
        operation: "sweep",
        functionId: "sweep.expire",
        targetIds: ids,
        details: counts,
      });
    }
    return counts;
  });
}
