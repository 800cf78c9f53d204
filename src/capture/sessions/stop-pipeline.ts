import * as z from "zod";
import type { Ground } from "../../ground.ts";
import { dueAfterCooldown } from "../../jobs/cooldown.ts";
import { delayJob, enqueue, type Job, savePayload } from "../../jobs/jobs.ts";
import { retryAfterMs } from "../../jobs/retry-after.ts";
import type { JobHandler } from "../../jobs/worker.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { hasActivity } from "../observations/reads/has-activity.ts";
import type { Projects } from "../projects/projects.ts";
import type { SessionRow } from "./record.ts";
import { type StoppedSession, type StopReason, type StopStep, stopReasons } from "./stop-step.ts";

/*
 * The work after the end of a session: a durable job that runs its steps in order. A hook that ends the
 * session after every turn costs at most one run per cooldown, because ends in between join the waiting job.
 * A failed step does not stop the others; the job is retried with the failed steps only, or with all if the
 * session went on meanwhile.
 */

const stopJobKind = "session.stop";

const StopPayload = z.object({
  reason: z.enum(stopReasons).catch("end"),
  /** State of an earlier attempt: the newest observation at that time, and the failed steps. */
  tried: z.object({ newest: z.number(), failed: z.array(z.string()) }).optional(),
});
type StopPayload = z.infer<typeof StopPayload>;

/** Queues the work after an end, in the transaction that ends the session. */
export async function enqueueStop(
  tx: Transaction,
  ground: Ground,
  session: Pick<SessionRow, "id" | "lastStopAt">,
  reason: StopReason,
): Promise<void> {
  const payload: StopPayload = { reason };
  await enqueue(tx, ground, {
    kind: stopJobKind,
    key: session.id,
    payload,
    runAfter: dueAfterCooldown(ground.now(), session.lastStopAt, ground.settings.consolidationCooldownMs),
  });
}

export function stopHandler(ground: Ground, projects: Projects, steps: readonly StopStep[]): JobHandler {
  return {
    kind: stopJobKind,
    isSlow: ground.llm.provider !== "noop",
    run: async (job) => {
      const payload = StopPayload.parse(job.payload);
      const found = await sessionToStop(ground.store.read.sql, projects, job.key);
      // There is nothing to do if nothing is new since the last run, or there are no observations.
      if (found === undefined || found.newest === null || found.newest === found.lastStopSeq) return;
      const { newest } = found;
      const again = payload.tried?.newest === newest ? payload.tried.failed : undefined;
      const wanted = steps.filter(
        ({ name, isWanted }) => isWanted(ground) && (again?.includes(name) ?? true),
      );
      const failures = await takeSteps(ground, wanted, { ...found.session, reason: payload.reason });
      if (failures.size > 0) {
        const tried = { newest, failed: [...failures.keys()] };
        await savePayload(ground, job, { ...payload, tried });
        throw failureOf(failures);
      }
      await noteRun(ground, job, newest);
    },
  };
}

/** If every failed step only has to wait, the job waits as well. */
function failureOf(failures: ReadonlyMap<string, unknown>): Error {
  const told = [...failures].map(([name, reason]) => `${name}: ${String(reason)}`).join("; ");
  const waits = [...failures.values()].flatMap((reason) => retryAfterMs(reason) ?? []);
  if (waits.length < failures.size) return new Error(told);
  return new MemsvcError("unavailable", told, { extra: { retryAfterMs: Math.min(...waits) } });
}

/** Runs every step, even if others fail. Returns the errors by the name of the step. */
async function takeSteps(
  ground: Ground,
  steps: readonly StopStep[],
  session: StoppedSession,
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  for (const { name, run } of steps) {
    try {
      await run(session);
    } catch (error) {
      const level = retryAfterMs(error) === undefined ? "warn" : "info";
      ground.log(level, "a step after a session's end failed", { step: name, error: String(error) });
      failures.set(name, error);
    }
  }
  return failures;
}

interface ToStop {
  readonly session: Omit<StoppedSession, "reason">;
  readonly lastStopSeq: number | null;
  readonly newest: number | null;
}

async function sessionToStop(sql: Sql, projects: Projects, sessionId: string): Promise<ToStop | undefined> {
  const row = await firstRow<{
    name: string;
    projectKey: string;
    agentId: string | null;
    endedAt: number | null;
    lastStopSeq: number | null;
    newest: number | null;
  }>(
    sql,
    `SELECT project AS name, project_key AS projectKey, agent_id AS agentId, ended_at AS endedAt, last_stop_seq AS lastStopSeq,
       (SELECT max(seq) FROM observations WHERE session_id = sessions.id AND ${hasActivity}) AS newest
     FROM sessions WHERE id = ?`,
    [sessionId],
  );
  if (row === undefined) return undefined;
  const { lastStopSeq, newest, name, projectKey, ...session } = row;
  const project = await projects.nameOf(sql, projectKey, name);
  return { session: { sessionId, project, ...session }, lastStopSeq, newest };
}

/**
 * Records the run. An end that came during the run waits for a cooldown from the run's end, like later ones.
 */
async function noteRun(ground: Ground, job: Job, newest: number): Promise<void> {
  const { store, now, settings } = ground;
  const at = now();
  await store.write(async (tx) => {
    await tx.sql.run("UPDATE sessions SET last_stop_at = ?, last_stop_seq = ? WHERE id = ?", [
      at,
      newest,
      job.key,
    ]);
    await delayJob(tx, ground, job, at + settings.consolidationCooldownMs);
  });
}
