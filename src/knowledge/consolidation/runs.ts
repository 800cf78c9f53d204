import type { Ground } from "../../ground.ts";
import type { Job } from "../../jobs/jobs.ts";
import type { Consolidated, Reflected } from "./answers.ts";
import { candidatesOf } from "./concept-groups.ts";
import type { StepResult } from "./durable-steps.ts";
import { makeMemories } from "./make-memories.ts";
import { openPipeline, reflectOnUnits, runTier } from "./pipeline.ts";
import { recordRun } from "./record-run.ts";
import { RunPayload } from "./run-payload.ts";
import type { ConsolidationServices, SharedRunState } from "./services.ts";
import { memoryTiers, type TierName } from "./tier-names.ts";
import { mergedResults, tierResults } from "./tiers.ts";

const tooFew = "insufficient_observations";

/** Makes memories with a model and runs the tiers that belong to it. */
export async function runConsolidate(
  ground: Ground,
  services: ConsolidationServices,
  job: Job,
  shared: SharedRunState,
): Promise<Consolidated> {
  const payload = RunPayload.parse(job.payload);
  const context = await openPipeline(ground, services, job, payload, shared, { isModelWanted: true });
  const { counts } = await context.steps.take("candidates", async () => {
    let totalObservations = 0;
    for (const unit of context.units) totalObservations += (await candidatesOf(context.run, unit)).length;
    return async () => ({ counts: { totalObservations }, targetIds: [] });
  });
  const totalObservations = counts.totalObservations ?? 0;
  const byTier = new Map<TierName, StepResult>();
  if (totalObservations < payload.minObservations) {
    const skipped: StepResult = { counts: {}, skipped: tooFew, targetIds: [] };
    for (const tier of memoryTiers) byTier.set(tier, skipped);
    return {
      consolidated: 0,
      totalObservations,
      memoryIds: [],
      results: tierResults(byTier),
      reason: tooFew,
    };
  }
  for (const tier of ["working", "episodic"] as const) byTier.set(tier, await runTier(context, tier));
  const made = await makeMemories(context);
  for (const tier of ["semantic", "procedural"] as const) byTier.set(tier, await runTier(context, tier));
  const asked = made.results.length;
  await recordRun(context, job, {
    functionId: "memory.consolidate",
    payload,
    byTier,
    further: made.results,
    qualityScore: asked === 0 ? 0 : Math.round((100 * made.memoryIds.length) / asked),
  });
  const { warning } = mergedResults([...byTier.values(), ...made.results]);
  return {
    consolidated: made.memoryIds.length,
    totalObservations,
    memoryIds: made.memoryIds,
    results: tierResults(byTier),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** Draws insights for every project and agent that the job names. */
export async function runReflect(
  ground: Ground,
  services: ConsolidationServices,
  job: Job,
  shared: SharedRunState,
): Promise<Reflected> {
  const { audit, agents } = services;
  const payload = RunPayload.parse(job.payload);
  const context = await openPipeline(ground, services, job, payload, shared, { isModelWanted: true });
  const result = await reflectOnUnits(context, payload.maxClusters);
  const { newInsights = 0, reinforced = 0, clustersProcessed = 0, clustersSkipped = 0 } = result.counts;
  const counts = { newInsights, reinforced, clustersProcessed, clustersSkipped };
  // A run that changed nothing is not audited.
  if (result.targetIds.length > 0) {
    await context.steps.take("end", async () => async (tx) => {
      await audit.record(tx, {
        operation: "reflect",
        functionId: "insight.reflect",
        targetIds: result.targetIds,
        details: { ...counts, jobId: job.id },
        agentId: await agents.writer(tx.sql, payload),
      });
      return { counts: {}, targetIds: [] };
    });
  }
  const { provider = "extractive", warning } = result;
  // Without statements to look at, the graph was not used either.
  const usedFallback = result.skipped !== undefined || result.usedFallback === true;
  return { ...counts, usedFallback, provider, ...(warning === undefined ? {} : { warning }) };
}
