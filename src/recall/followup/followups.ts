import { eq, lt, sql as text } from "drizzle-orm";
import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { dayMs } from "../../time/durations.ts";
import type { FollowupReport } from "./answers.ts";
import { countedSearches, followupCounts } from "./tables.ts";

/** A search that found something and is to be counted. */
interface CountedSearch {
  readonly sessionId: string;
  readonly query: string;
  readonly resultIds: readonly string[];
}

const theRow = 1;
const keptMs = dayMs;
const caveat =
  "A directional figure: a second search soon after the first may be a legitimate refinement, so it counts too many.";

/** Counts how often sessions search again soon after a search, a hint that the first answer did not help. */
export class Followups {
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Counts a search that found something. Another question soon after, with other results, is a follow-up. */
  async count({ sessionId, query, resultIds }: CountedSearch): Promise<void> {
    const { store, now, settings } = this.#ground;
    if (store.isReadOnly) return;
    const searchedAt = now();
    const asked = redactText(query).trim().replace(/\s+/gu, " ").toLowerCase();
    const count = async (tx: Transaction) => {
      const [previous] = await tx.orm
        .select()
        .from(countedSearches)
        .where(eq(countedSearches.sessionId, sessionId));
      const isFollowup =
        previous !== undefined &&
        searchedAt - previous.searchedAt <= settings.followupWindowSeconds * 1_000 &&
        previous.query !== asked &&
        !resultIds.some((id) => previous.resultIds.includes(id));
      const followups = isFollowup ? 1 : 0;
      await tx.orm
        .insert(followupCounts)
        .values({ id: theRow, searches: 1, followups })
        .onConflictDoUpdate({
          target: followupCounts.id,
          set: {
            searches: text`${followupCounts.searches} + 1`,
            followups: text`${followupCounts.followups} + ${followups}`,
          },
        });
      const row = { sessionId, searchedAt, query: asked, resultIds: [...resultIds] };
      await tx.orm
        .insert(countedSearches)
        .values(row)
        .onConflictDoUpdate({ target: countedSearches.sessionId, set: row });
      await tx.orm.delete(countedSearches).where(lt(countedSearches.searchedAt, searchedAt - keptMs));
    };
    await store.write(count, { dispensable: true });
  }

  /** Deletes the stored search of a session that is being deleted; the counts stay. */
  async drop(tx: Transaction, sessionId: string): Promise<void> {
    await tx.orm.delete(countedSearches).where(eq(countedSearches.sessionId, sessionId));
  }

  async report(): Promise<FollowupReport> {
    const { store, settings } = this.#ground;
    const [row] = await store.read.orm.select().from(followupCounts).where(eq(followupCounts.id, theRow));
    const { searches, followups } = row ?? { searches: 0, followups: 0 };
    return {
      windowSeconds: settings.followupWindowSeconds,
      agentInitiatedSearches: searches,
      followupWithinWindow: followups,
      rate: searches === 0 ? 0 : followups / searches,
      caveat,
    };
  }
}
