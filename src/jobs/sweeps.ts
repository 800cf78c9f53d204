import type { Core } from "../core.ts";
import { dayMs, hourMs } from "../durations.ts";
import { dropOldTombstones } from "../governance/retention/tombstones.ts";
import { dropOldArrivals } from "../sharing/mesh/arrivals.ts";
import { dropOldJobs } from "./jobs.ts";
import type { JobHandler } from "./worker.ts";

const firstAfterMs = 60_000;
const coordinationEveryMs = 30_000;

/** Housekeeping that runs by itself while the daemon is up. */
export function sweeps(core: Core): JobHandler[] {
  const { consolidationEnabled, consolidationIntervalMs } = core.ground.settings;
  return [
    {
      kind: "sweep.coordination",
      run: async () => {
        const changed = await core.clockwork.sweep();
        if (changed > 0)
          core.ground.log("info", "time and what sentinels watch for changed coordination", {
            count: changed,
          });
      },
      repeats: { everyMs: coordinationEveryMs, firstAfterMs: 0 },
    },
    {
      kind: "sweep.sessions",
      run: async () => {
        const ids = await core.sessions.abandonStale();
        if (ids.length > 0)
          core.ground.log("info", "abandoned sessions without activity", { count: ids.length });
      },
      repeats: { everyMs: hourMs, firstAfterMs },
    },
    {
      kind: "sweep.memories",
      run: async () => {
        const gone = await core.evictFaded();
        if (gone > 0) core.ground.log("info", "evicted expired and faded memories", { count: gone });
        if (core.ground.settings.autoForgetEnabled) await core.retention.autoForget({});
      },
      repeats: { everyMs: core.ground.settings.sweepIntervalMs, firstAfterMs },
    },
    ...(core.ground.settings.snapshotEnabled ? [timedSnapshots(core)] : []),
    {
      kind: "sweep.faded",
      run: async () => {
        const counts = await core.dropFaded();
        if (Object.values(counts).some((count) => count > 0))
          core.ground.log("info", "dropped what faded and was never confirmed", counts);
      },
      repeats: { everyMs: dayMs, firstAfterMs },
    },
    {
      kind: "sweep.audit",
      run: async () => {
        const dropped = await core.audit.dropOld();
        if (dropped > 0) core.ground.log("info", "dropped old entries of the audit", { count: dropped });
      },
      repeats: { everyMs: dayMs, firstAfterMs },
    },
    ...(consolidationEnabled
      ? [
          {
            kind: "sweep.consolidation",
            run: async () => {
              const count = await core.consolidations.distilActive();
              if (count > 0) core.ground.log("info", "projects are distilled", { count });
            },
            repeats: { everyMs: consolidationIntervalMs, firstAfterMs: consolidationIntervalMs },
          },
        ]
      : []),
    {
      kind: "sweep.images",
      run: async () => {
        const gone = await core.sweepImages();
        if (gone > 0) core.ground.log("info", "removed images that nothing names", { count: gone });
      },
      repeats: { everyMs: hourMs, firstAfterMs },
    },
    {
      kind: "sweep.graph",
      run: async () => {
        await core.graph.refreshSnapshot();
      },
      repeats: { everyMs: firstAfterMs, firstAfterMs },
    },
    {
      kind: "sweep.tombstones",
      run: async () => {
        await dropOldTombstones(core.ground);
        await dropOldArrivals(core.ground);
      },
      repeats: { everyMs: dayMs, firstAfterMs },
    },
    ...(core.ground.settings.meshIntervalMs > 0 && core.ground.settings.secret !== undefined
      ? [meshExchanges(core)]
      : []),
    {
      kind: "sweep.jobs",
      run: async () => {
        await dropOldJobs(core.ground);
      },
      repeats: { everyMs: hourMs, firstAfterMs },
    },
  ];
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
