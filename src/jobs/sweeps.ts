import { abandonStale } from "../capture/sessions/abandon-stale.ts";
import { dropSpentSignals, signalSweepMs } from "../coordination/signals/expiry.ts";
import type { Core } from "../core.ts";
import { dropOldTombstones } from "../governance/retention/tombstones.ts";
import { dropOldArrivals } from "../sharing/mesh/arrivals.ts";
import { dayMs, hourMs } from "../time/durations.ts";
import { dropOldJobs } from "./jobs.ts";
import type { JobHandler } from "./worker.ts";

const firstAfterMs = 60_000;
const coordinationEveryMs = 30_000;
const graphEveryMs = 60_000;

/** Housekeeping that runs by itself while the daemon is up. */
export function sweeps(core: Core): JobHandler[] {
  const { settings } = core.ground;
  return [
    {
      kind: "sweep.coordination",
      run: counting(core, "time and what sentinels watch for changed coordination", () =>
        core.clockwork.sweep(),
      ),
      repeats: { everyMs: coordinationEveryMs, firstAfterMs: 0 },
    },
    {
      kind: "sweep.signals",
      deletesByAge: true,
      run: counting(core, "dropped signals that expired a week ago", () =>
        dropSpentSignals(core.ground, core.audit),
      ),
      repeats: { everyMs: signalSweepMs, firstAfterMs },
    },
    {
      kind: "sweep.sessions",
      run: counting(core, "abandoned sessions without activity", async () => {
        const ids = await abandonStale(core.ground, core.audit);
        return ids.length;
      }),
      repeats: { everyMs: hourMs, firstAfterMs },
    },
    fadedMemories(core),
    ...(settings.snapshotEnabled && settings.dbUrl === undefined ? [timedSnapshots(core)] : []),
    {
      kind: "sweep.faded",
      deletesByAge: true,
      run: async () => {
        const counts = await core.dropFaded();
        if (Object.values(counts).some((count) => count > 0))
          core.ground.log("info", "dropped what faded and was never confirmed", counts);
      },
      repeats: { everyMs: dayMs, firstAfterMs },
    },
    {
      kind: "sweep.audit",
      deletesByAge: true,
      run: counting(core, "dropped old entries of the audit", () => core.audit.dropOld()),
      repeats: { everyMs: dayMs, firstAfterMs },
    },
    ...(settings.consolidationEnabled ? [distillation(core)] : []),
    {
      kind: "sweep.images",
      run: counting(core, "removed images that nothing names", () => core.sweepImages()),
      repeats: { everyMs: hourMs, firstAfterMs },
    },
    {
      kind: "sweep.graph",
      run: async () => {
        await core.graph.refreshSnapshot();
      },
      repeats: { everyMs: graphEveryMs, firstAfterMs },
    },
    {
      kind: "sweep.tombstones",
      deletesByAge: true,
      run: async () => {
        await dropOldTombstones(core.ground);
        await dropOldArrivals(core.ground);
      },
      repeats: { everyMs: dayMs, firstAfterMs },
    },
    ...(settings.meshIntervalMs > 0 && settings.secret !== undefined ? [meshExchanges(core)] : []),
    {
      kind: "sweep.jobs",
      deletesByAge: true,
      run: async () => {
        await dropOldJobs(core.ground);
      },
      repeats: { everyMs: hourMs, firstAfterMs },
    },
  ];
}

/** Does some work, and tells in the log how much there was to do, if anything. */
function counting({ ground }: Core, sentence: string, work: () => Promise<number>): () => Promise<void> {
  return async () => {
    const count = await work();
    if (count > 0) ground.log("info", sentence, { count });
  };
}

function fadedMemories(core: Core): JobHandler {
  const { ground } = core;
  const evict = counting(core, "evicted expired and faded memories", () => core.evictFaded());
  return {
    kind: "sweep.memories",
    deletesByAge: true,
    run: async () => {
      await evict();
      if (ground.settings.autoForgetEnabled) await core.retention.autoForget({});
    },
    repeats: { everyMs: ground.settings.sweepIntervalMs, firstAfterMs },
  };
}

function distillation(core: Core): JobHandler {
  const everyMs = core.ground.settings.consolidationIntervalMs;
  return {
    kind: "sweep.consolidation",
    run: counting(core, "projects are distilled", () => core.consolidations.distilActive()),
    repeats: { everyMs, firstAfterMs: everyMs },
  };
}

function meshExchanges({ mesh, ground }: Core): JobHandler {
  const everyMs = ground.settings.meshIntervalMs;
  return {
    kind: "sweep.mesh",
    isSlow: true,
    onlyInDaemon: true,
    run: async () => {
      for (const { peerName, errors } of await mesh.syncAll())
        if (errors.length > 0)
          ground.log("warn", "an exchange with a peer failed", { peer: peerName, errors });
    },
    repeats: { everyMs, firstAfterMs: everyMs },
  };
}

function timedSnapshots({ snapshots, ground }: Core): JobHandler {
  return {
    kind: "sweep.snapshots",
    run: async () => {
      const made = await snapshots.createIfChanged();
      if (made !== undefined) ground.log("info", "made a snapshot", { id: made.id });
    },
    repeats: { everyMs: ground.settings.snapshotIntervalSeconds * 1_000, firstAfterMs },
  };
}
