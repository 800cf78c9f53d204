import { abandonStale } from "../capture/sessions/abandon-stale.ts";
import { dropSpentSignals, signalSweepMs } from "../coordination/signals/expiry.ts";
import type { Core } from "../core.ts";
import { dropOldTombstones } from "../governance/retention/tombstones.ts";
import { dropOldArrivals } from "../sharing/mesh/arrivals.ts";
import { dayMs, hourMs } from "../time/durations.ts";
import { BackgroundLoop } from "./background-loop.ts";
import { backingOff } from "./backing-off.ts";
import { dropOldJobs } from "./jobs.ts";
import type { JobHandler } from "./worker.ts";

const firstAfterMs = 60_000;
const coordinationEveryMs = 30_000;
const graphEveryMs = 60_000;

/** Housekeeping that runs by itself while the daemon is up. As these are jobs, each run writes to the disk. */
export function sweeps(core: Core): JobHandler[] {
  const { settings } = core.ground;
  return [
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

/**
 * Housekeeping that runs so often that, as jobs, it would write to an idle machine's disk all day. Each run only writes
 * when it finds something to do. Another process may do the same work at the same time.
 */
export function frequentSweeps(core: Core): BackgroundLoop[] {
  const coordination = backingOff(core.ground, {
    work: counting(core, "time and what sentinels watch for changed coordination", () =>
      core.clockwork.sweep(),
    ),
    everyMs: coordinationEveryMs,
    failure: "coordination was not swept",
  });
  const graph = backingOff(core.ground, {
    work: () => core.graph.refreshSnapshot(),
    everyMs: graphEveryMs,
    failure: "the graph's snapshot was not taken anew",
  });
  return [new BackgroundLoop(coordination), new BackgroundLoop(graph, { firstAfterMs })];
}

/** Wraps work that returns a count, to log the count unless it is 0. */
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
      if (!ground.settings.autoForgetEnabled) return;
      const { contradictions, lowValueObs } = await core.retention.autoForget({});
      if (contradictions.length + lowValueObs.length > 0)
        ground.log("info", "superseded contradicted memories and dropped old observations of little value", {
          contradictions: contradictions.length,
          observations: lowValueObs.length,
        });
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
