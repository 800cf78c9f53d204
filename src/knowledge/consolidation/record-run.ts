import type { Job } from "../../jobs/jobs.ts";
import { askForAutoExport } from "../../sharing/vault/vault.ts";
import type { StepResult } from "./durable-steps.ts";
import { noteLastRun } from "./last-runs.ts";
import type { RunPayload } from "./run-payload.ts";
import type { PipelineContext } from "./services.ts";
import { type TierName, tierNames } from "./tier-names.ts";
import { mergedResults } from "./tiers.ts";

interface Ran {
  readonly functionId: "memory.consolidate" | "memory.pipeline";
  readonly payload: RunPayload;
  readonly byTier: ReadonlyMap<TierName, StepResult>;
  /** Results that belong to no tier. */
  readonly further: readonly StepResult[];
  /** 0 to 100. */
  readonly qualityScore?: number;
}

/** Ends a run: writes one audit entry and the time up to which its projects were consolidated. */
export async function recordRun(context: PipelineContext, job: Job, ran: Ran): Promise<void> {
  const { run, steps, units } = context;
  const { ground, services } = run;
  await steps.take("end", async () => async (tx) => {
    const all = mergedResults([...ran.byTier.values(), ...ran.further]);
    const memories = ran.further.reduce((sum, { counts }) => sum + (counts.memories ?? 0), 0);
    await services.audit.record(tx, {
      operation: "consolidate",
      functionId: ran.functionId,
      targetIds: all.targetIds,
      details: {
        tiers: Object.fromEntries([...ran.byTier].map(([tier, result]) => [tier, noteOf(result)])),
        ...(ran.further.length === 0 ? {} : { memories }),
        jobId: job.id,
      },
      ...(ran.qualityScore === undefined ? {} : { qualityScore: ran.qualityScore }),
      agentId: await services.agents.writer(tx.sql, ran.payload),
    });
    const isWhole = tierNames.every((tier) => ran.byTier.has(tier));
    if (isWhole || run.background) {
      for (const { projectKey, filter } of units) {
        const agentId = filter.kind === "agent" ? filter.agentId : null;
        if (projectKey !== null) await noteLastRun(tx.sql, { projectKey, agentId }, steps.beganAt);
      }
    }
    await askForAutoExport(tx, ground);
    return { counts: {}, targetIds: [] };
  });
  ground.wakeJobs();
}

function noteOf({ counts, provider, skipped }: StepResult): Readonly<Record<string, unknown>> {
  return skipped === undefined ? { ...counts, provider } : { skipped };
}
