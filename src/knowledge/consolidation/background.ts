import { sessionState } from "../../capture/sessions/activity.ts";
import { everyone } from "../../capture/sessions/agent-scope.ts";
import { activeProjects } from "../../capture/sessions/history.ts";
import type { StoppedSession } from "../../capture/sessions/stop-step.ts";
import type { Ground } from "../../ground.ts";
import { dueAfterCooldown } from "../../jobs/cooldown.ts";
import { enqueue } from "../../jobs/jobs.ts";
import type { JobHandler } from "../../jobs/worker.ts";
import type { Transaction } from "../../store/store.ts";
import { lastRunOf, type RunPlace } from "./last-runs.ts";
import type { RunPayload } from "./run-payload.ts";
import type { ConsolidationServices, SharedRunState } from "./services.ts";
import { tierNames } from "./tier-names.ts";

/*
 * Consolidation in the background, if a setting asks for it: of the project of a session that stopped, and at
 * intervals of every project in which something happened. Each is a job for one project (and for one agent
 * where agents are isolated), so that they wait for a model one by one.
 */

const backgroundJobKind = "consolidate.background";

const mostProjects = 50;

/** Without decay, which is left to the daily sweep: that one takes care of clocks that are wrong. */
const timer = { name: "timer", tiers: tierNames.filter((tier) => tier !== "decay"), memories: true } as const;

export function backgroundHandler(
  ground: Ground,
  services: ConsolidationServices,
  shared: SharedRunState,
): JobHandler {
  return {
    kind: backgroundJobKind,
    isSlow: true,
    onlyInDaemon: ground.llm.provider !== "noop",
    run: async (job) => {
      // The setting may have changed since the job was queued.
      if (!ground.settings.consolidationEnabled) return;
      const { runPipeline } = await import("./pipeline.ts");
      await runPipeline(ground, services, job, shared);
      // `queueRun` made the payload.
      const { project, agentId } = job.payload as Partial<RunPayload>;
      await services.crystals.condenseOld({ project, agentId });
    },
  };
}

/**
 * Queues the consolidation of a session's project, at most once per cooldown; stops in between join the run
 * that waits. Also queues a timer run within the interval, which makes memories too: without further activity
 * no later run would follow.
 */
export async function consolidateAfterStop(
  ground: Ground,
  { agents }: ConsolidationServices,
  { sessionId, agentId }: Pick<StoppedSession, "sessionId" | "agentId">,
): Promise<void> {
  const { store, settings } = ground;
  await store.write(async (tx) => {
    const session = await sessionState(tx.sql, sessionId);
    // Where agents are isolated, observations without an agent are not consolidated.
    if (session === undefined || (agents.isolated && agentId === null)) return;
    const place = { projectKey: session.projectKey, agentId: agents.isolated ? agentId : null };
    const lastRunAt = await lastRunOf(tx.sql, place);
    await queueRun(tx, ground, place, {
      name: "stop",
      tiers: ["semantic", "reflect", "procedural"],
      memories: false,
      runAfter: dueAfterCooldown(ground.now(), lastRunAt, settings.consolidationCooldownMs),
    });
    await queueRun(tx, ground, place, {
      ...timer,
      runAfter: ground.now() + settings.consolidationIntervalMs,
    });
  });
  ground.wakeJobs();
}

/**
 * Queues the consolidation of every project in which something happened since its last run. Returns how many.
 */
export async function consolidateActive(ground: Ground, { agents }: ConsolidationServices): Promise<number> {
  const projects = await activeProjects(
    ground.store.read.sql,
    { keys: undefined, filter: everyone, perAgent: agents.isolated },
    mostProjects,
  );
  const asked = await ground.store.write(async (tx) => {
    let count = 0;
    for (const place of projects) {
      const lastRunAt = await lastRunOf(tx.sql, place);
      if (lastRunAt !== undefined && !isActiveSince(place.lastActiveAt, lastRunAt, ground.now())) continue;
      await queueRun(tx, ground, place, { ...timer, runAfter: ground.now() });
      count += 1;
    }
    return count;
  });
  if (asked > 0) ground.wakeJobs();
  return asked;
}

/**
 * Whether something happened since a run. Times in the future stem from a clock that was set back: a run
 * dated so is ignored, and so is activity, which would otherwise ask for a run each time.
 */
function isActiveSince(lastActiveAt: number, lastRunAt: number, now: number): boolean {
  return lastRunAt > now || (lastActiveAt > lastRunAt && lastActiveAt <= now);
}

interface RunRequest extends Pick<RunPayload, "memories"> {
  readonly name: "stop" | "timer";
  readonly tiers: readonly RunPayload["tiers"][number][];
  readonly runAfter: number;
}

async function queueRun(
  tx: Transaction,
  ground: Ground,
  place: RunPlace,
  request: RunRequest,
): Promise<void> {
  const payload: Partial<RunPayload> = {
    tiers: [...request.tiers],
    memories: request.memories,
    background: true,
    project: place.projectKey,
    ...(place.agentId === null ? {} : { agentId: place.agentId }),
  };
  const key = JSON.stringify([request.name, place.projectKey, place.agentId]);
  await enqueue(tx, ground, { kind: backgroundJobKind, key, payload, runAfter: request.runAfter });
}
