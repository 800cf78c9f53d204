import type { Job } from "../../jobs/jobs.ts";
import { askForAutoExport } from "../../sharing/vault/vault.ts";
import type { Transaction } from "../../store/store.ts";
import type { StepResult } from "./durable-steps.ts";
import type { PipelineContext } from "./pipeline.ts";
import type { RunPayload } from "./run-payload.ts";
import { type TierName, tierNames } from "./tier-names.ts";
import { mergedResults } from "./tiers.ts";
import type { Unit } from "./unit.ts";

interface Ran {
  readonly functionId: "memory.consolidate" | "memory.pipeline";
  readonly payload: RunPayload;
  readonly byTier: ReadonlyMap<TierName, StepResult>;
  /** Results that belong to no tier. */
  readonly further: readonly StepResult[];
  /** 0 to 100. */
  readonly qualityScore?: number;
}

/** Ends a run: writes one audit entry and the time at which its projects were consolidated. */
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
    if (isWhole || run.background) await recordLastRun(tx, units, ground.now());
    await askForAutoExport(tx, ground);
    return { counts: {}, targetIds: [] };
  });
  ground.wakeJobs();
}

function noteOf({ counts, provider, skipped }: StepResult): Readonly<Record<string, unknown>> {
  return skipped === undefined ? { ...counts, provider } : { skipped };
}

async function recordLastRun(tx: Transaction, units: readonly Unit[], now: number): Promise<void> {
  for (const unit of units) {
    if (unit.projectKey === null) continue;
    await tx.sql.run(
      `INSERT INTO consolidation_runs (project_key, agent_key, last_run_at) VALUES (?, ?, ?)
       ON CONFLICT (project_key, agent_key) DO UPDATE SET last_run_at = excluded.last_run_at`,
      [unit.projectKey, agentKeyOf(unit), now],
    );
  }
}

/** Empty where agents are not isolated. */
function agentKeyOf({ filter }: Pick<Unit, "filter">): string {
  return filter.kind === "agent" ? filter.agentId : "";
}
