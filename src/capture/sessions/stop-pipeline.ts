import type { Ground } from "../../ground.ts";
import { enqueue } from "../../jobs/jobs.ts";
import type { JobHandler } from "../../jobs/worker.ts";
import type { Profiles } from "../../knowledge/profiles/profiles.ts";
import type { Summaries } from "../../knowledge/summaries/summaries.ts";
import { firstRow } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import type { SessionRow } from "./record.ts";

/*
 * What follows the end of a session: a durable job that summarises it and renews its project's profile. A hook
 * that ends the session at every turn costs at most one run per cooldown, because ends in between join the job
 * that waits.
 */

export const stopJobKind = "session.stop";

/** Asks for the work that follows an end, in the transaction that ends the session. */
export async function enqueueStop(tx: Transaction, ground: Ground, session: SessionRow): Promise<void> {
  const { consolidationCooldownMs } = ground.settings;
  const restedAt = session.lastStopAt === null ? 0 : session.lastStopAt + consolidationCooldownMs;
  await enqueue(tx, ground, {
    kind: stopJobKind,
    key: session.id,
    payload: { sessionId: session.id },
    runAfter: Math.max(ground.now(), restedAt),
  });
}

interface Services {
  readonly summaries: Summaries;
  readonly profiles: Profiles;
}

export function stopHandler(ground: Ground, services: Services): JobHandler {
  return {
    kind: stopJobKind,
    run: async ({ key: sessionId }) => {
      const { store } = ground;
      const before = await firstRow<{ lastStopSeq: number | null; newest: number | null; project: string }>(
        store.read.sql,
        `SELECT last_stop_seq AS lastStopSeq, project,
           (SELECT max(seq) FROM observations WHERE session_id = sessions.id) AS newest FROM sessions WHERE id = ?`,
        [sessionId],
      );
      // Nothing new since the last run, or nothing at all: there is nothing to say about it.
      if (before === undefined || before.newest === null || before.newest === before.lastStopSeq) return;
      await services.summaries.summarize({ sessionId, agentId: "*" });
      await services.profiles.get({ project: before.project, refresh: true, agentId: "*" });
      await store.write((tx) =>
        tx.sql.run("UPDATE sessions SET last_stop_at = ?, last_stop_seq = ? WHERE id = ?", [
          ground.now(),
          before.newest,
          sessionId,
        ]),
      );
    },
  };
}
