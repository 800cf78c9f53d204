import { compressionHandler } from "./capture/observations/by-model/compression-job.ts";
import { graphRowsAfter as observationsForGraph } from "./capture/observations/reads/graph-rows.ts";
import { stopHandler } from "./capture/sessions/stop-pipeline.ts";
import type { Core } from "./core.ts";
import { backfillHandler } from "./graph/structural/backfill.ts";
import { gentleReindexHandler, reindexHandler } from "./index/documents/reindex.ts";
import { purgeHandler } from "./index/words/purge.ts";
import type { JobHandler } from "./jobs/worker.ts";
import { graphRowsAfter as memoriesForGraph } from "./knowledge/memories/graph-rows.ts";
import { stopSteps } from "./stop-steps.ts";

/** Services that register long-running work when they are made. */
const ownersOfLongWork = [
  "consolidations",
  "crystals",
  "files",
  "flow",
  "graph",
  "mesh",
  "migrations",
  "summaries",
  "vault",
] as const;

/** The handlers of all job kinds. */
export function jobHandlersOf(core: Core): JobHandler[] {
  for (const name of ownersOfLongWork) void core[name];
  const { ground } = core;
  return [
    stopHandler(ground, core.projects, stopSteps(core)),
    compressionHandler(ground, core),
    reindexHandler(ground),
    gentleReindexHandler(ground),
    purgeHandler(ground),
    backfillHandler(ground, { observations: observationsForGraph, memories: memoriesForGraph }),
    core.consolidations.backgroundHandler(),
    ...core.longRuns.handlers(),
  ];
}
