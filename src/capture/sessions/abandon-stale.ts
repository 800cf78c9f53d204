import { and, eq, type SQL, sql as text } from "drizzle-orm";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { clockPlayMs } from "../../jobs/wrong-clock.ts";
import { listContains } from "../../store/list-contains.ts";
import type { Transaction } from "../../store/store.ts";
import { hourMs } from "../../time/durations.ts";
import { sweptTag } from "./origin-tags.ts";
import { enqueueStop } from "./stop-pipeline.ts";
import { sessions } from "./tables.ts";

/*
 * Sessions that nobody ended: after a period without activity they count as abandoned, as of their last
 * activity.
 */

/** Marks sessions as abandoned that were inactive for longer than the settings allow. Returns their ids. */
export async function abandonStale(ground: Ground, audit: Audit): Promise<string[]> {
  const since = staleSince(ground);
  if (since === undefined) return [];
  return ground.store.write(async (tx) => {
    await followClock(tx, ground);
    const ids = await abandonInactive(tx, ground, since);
    if (ids.length > 0) {
      await audit.record(tx, {
        operation: "session_abandon",
        functionId: "session.sweep",
        targetIds: ids,
        details: { count: ids.length },
      });
    }
    return ids;
  });
}

/** How many sessions abandonStale() would mark now. */
export async function countStale(ground: Ground): Promise<number> {
  const since = staleSince(ground);
  return since === undefined ? 0 : ground.store.read.orm.$count(sessions, isSilentSince(since));
}

/** Marks active sessions without activity since a time as abandoned; the caller writes the audit entry. */
export async function abandonInactive(tx: Transaction, ground: Ground, since: number): Promise<string[]> {
  const swept = await tx.orm
    .update(sessions)
    .set({
      status: "abandoned",
      endedAt: text`${sessions.updatedAt}`,
      tags: text`CASE WHEN ${listContains(sessions.tags, sweptTag)} THEN ${sessions.tags}
        ELSE json_insert(${sessions.tags}, '$[#]', ${sweptTag}) END`,
    })
    .where(isSilentSince(since))
    .returning();
  for (const session of swept) await enqueueStop(tx, ground, session, "abandon");
  return swept.map(({ id }) => id);
}

/**
 * A session whose last activity lies in the future, because the clock was set back, counts as inactive from
 * now on.
 */
async function followClock({ sql }: Transaction, { now }: Ground): Promise<void> {
  await sql.run(
    `UPDATE sessions SET updated_at = ?1 WHERE status = 'active' AND updated_at > ?1 + ${clockPlayMs}`,
    [now()],
  );
}

/** The time since which a session must have been inactive; undefined when the setting allows any period. */
function staleSince({ now, settings }: Ground): number | undefined {
  return settings.sessionStaleHours === 0 ? undefined : now() - settings.sessionStaleHours * hourMs;
}

function isSilentSince(time: number): SQL | undefined {
  return and(eq(sessions.status, "active"), text`${sessions.updatedAt} < ${time}`);
}
