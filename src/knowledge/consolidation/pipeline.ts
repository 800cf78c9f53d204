import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ground } from "../../ground.ts";
import type { Job } from "../../jobs/jobs.ts";
import type { PipelineAnswer } from "./answers.ts";
import { planDecay } from "./decay.ts";
import { DurableSteps, type Plan, type StepResult } from "./durable-steps.ts";
import { planEpisodic } from "./episodic.ts";
import { makeMemories } from "./make-memories.ts";
import { planProcedural } from "./procedural.ts";
import { recordRun } from "./record-run.ts";
import { mostInsights, planReflection, type ReflectionBounds } from "./reflect.ts";
import { RunModel } from "./run-model.ts";
import { RunPayload } from "./run-payload.ts";
import { planSemantic } from "./semantic.ts";
import type { ConsolidationServices, PipelineContext, SharedRunState } from "./services.ts";
import { type TierName, tierNames } from "./tier-names.ts";
import { mergedResults, tierResults } from "./tiers.ts";
import { type Unit, type UnitRequest, unitName, unitsOf, viewOf } from "./unit.ts";
import { planWorking } from "./working.ts";

const mostClusters = 10;
/** Only the most recently active projects are processed; the others are left to runs of their own. */
const mostUnits = { byModel: 10, byRules: 50 } as const;

/** Prepares what the tiers of a job work with. */
export async function openPipeline(
  ground: Ground,
  services: ConsolidationServices,
  job: Job,
  payload: RunPayload,
  { answered, groupsInWork }: SharedRunState,
  { isModelWanted }: { readonly isModelWanted: boolean },
): Promise<PipelineContext> {
  const { background } = payload;
  const { sql } = ground.store.read;
  const model = new RunModel(ground, {
    isWanted: isModelWanted,
    background,
    answered: background ? answered : undefined,
  });
  const all = await unitsOf(sql, services, payload);
  const units = all.slice(0, model.isUsed ? mostUnits.byModel : mostUnits.byRules);
  return {
    run: { ground, services, model, background },
    steps: new DurableSteps(ground, job),
    groupsInWork,
    view: await viewOf(sql, services, payload),
    units,
    unitsLeft: all.length - units.length,
  };
}

/** Runs the tiers that a job names, with a model if one is to be used, else by rules. */
export async function runPipeline(
  ground: Ground,
  services: ConsolidationServices,
  job: Job,
  shared: SharedRunState,
): Promise<PipelineAnswer> {
  const payload = RunPayload.parse(job.payload);
  const isModelWanted = ground.settings.consolidationEnabled || payload.force;
  const context = await openPipeline(ground, services, job, payload, shared, { isModelWanted });
  const byTier = new Map<TierName, StepResult>();
  const further: StepResult[] = [];
  for (const tier of tierNames) {
    if (!payload.tiers.includes(tier)) continue;
    byTier.set(tier, await runTier(context, tier));
    // After the summaries of sessions, and before facts and insights, which may build on the memories.
    if (tier === "episodic" && payload.memories) further.push(...(await makeMemories(context)).results);
  }
  await recordRun(context, job, { functionId: "memory.pipeline", payload, byTier, further });
  context.run.model.noteSettled();
  const { warning } = mergedResults([...byTier.values(), ...further]);
  return { results: tierResults(byTier), ...(warning === undefined ? {} : { warning }) };
}

/** What decay would count and drop; everything is rolled back. */
export async function previewDecay(
  ground: Ground,
  services: ConsolidationServices,
  request: UnitRequest,
): Promise<PipelineAnswer> {
  const model = new RunModel(ground, { isWanted: false, background: false });
  const view = await viewOf(ground.store.read.sql, services, request);
  const decayed = await ground.store.write(planDecay({ ground, services, model, background: false }, view), {
    dryRun: true,
  });
  return { results: tierResults(new Map([["decay", decayed]])) };
}

export async function runTier(context: PipelineContext, tier: TierName): Promise<StepResult> {
  const { run, steps, view } = context;
  const whole = (think: () => Promise<Plan>) => steps.take(tier, think);
  switch (tier) {
    case "working":
      return whole(() => planWorking(run, view));
    case "episodic":
      return whole(() => planEpisodic(run, view));
    case "decay":
      return whole(async () => planDecay(run, view));
    case "semantic":
      return eachUnit(context, tier, (unit) => planSemantic(run, unit));
    case "procedural":
      return eachUnit(context, tier, (unit) => planProcedural(run, unit));
    case "reflect":
      return reflectOnUnits(context, mostClusters);
  }
}

/** Reflects on the units, with at most `most` clusters in all. */
export function reflectOnUnits(context: PipelineContext, most: number): Promise<StepResult> {
  let left: ReflectionBounds = { clusters: most, insights: mostInsights };
  return eachUnit(
    context,
    "reflect",
    (unit) => planReflection(context.run, unit, left),
    ({ counts }) => {
      const { clustersProcessed = 0, newInsights = 0, reinforced = 0 } = counts;
      const insights = left.insights - newInsights - reinforced;
      left = { clusters: left.clusters - clustersProcessed, insights };
      return left.clusters > 0 && insights > 0;
    },
  );
}

/** Runs a tier unit by unit, until `goesOn` returns false. */
async function eachUnit(
  { steps, units, unitsLeft }: PipelineContext,
  tier: TierName,
  think: (unit: Unit) => Promise<Plan>,
  goesOn: (result: StepResult) => boolean = () => true,
): Promise<StepResult> {
  const results: StepResult[] = [];
  for (const unit of units) {
    await nextTurn();
    const result = await steps.take(`${tier} ${unitName(unit)}`, () => think(unit));
    results.push(result);
    if (!goesOn(result)) break;
  }
  const all = mergedResults(results);
  if (unitsLeft === 0) return all;
  const left = `projects that wait for a run that names them: ${unitsLeft}`;
  return { ...all, warning: all.warning === undefined ? left : `${all.warning}; ${left}` };
}
