import type { StoppedSession } from "../../capture/sessions/stop-steps.ts";
import type { Ground } from "../../ground.ts";
import type { Job } from "../../jobs/jobs.ts";
import type { JobHandler } from "../../jobs/worker.ts";
import type { Queued } from "../../operation/long.ts";
import { backgroundHandler, distilActive, distilAfterStop } from "./background.ts";
import { candidatesOf } from "./concept-groups.ts";
import { makeMemories } from "./memory-making.ts";
import { openStage, type PipelineAnswer, reflectOnUnits, runPipeline, runTier } from "./pipeline.ts";
import { noteRun } from "./run-notes.ts";
import { RunPayload } from "./run-payload.ts";
import type { ConsolidationServices } from "./services.ts";
import type { StepResult } from "./steps.ts";
import {
  type Reflection,
  type TierName,
  type TierResults,
  tierNames,
  tierResults,
  together,
} from "./tiers.ts";
import type { UnitRequest } from "./unit.ts";

const memoriesJobKind = "consolidate.memories";
const pipelineJobKind = "consolidate.pipeline";
const reflectJobKind = "consolidate.reflect";

const memoryTiers = ["working", "episodic", "semantic", "procedural"] as const;
const tooFew = "insufficient_observations";

export interface Consolidated {
  /** Memories that were made or given a new version. */
  readonly consolidated: number;
  readonly totalObservations: number;
  readonly memoryIds: string[];
  readonly results: TierResults;
  readonly reason?: string;
  readonly warning?: string;
}

export interface Reflected extends Reflection {
  readonly warning?: string;
}

interface ConsolidateInput extends UnitRequest {
  readonly minObservations: number;
}

interface PipelineInput extends UnitRequest {
  readonly tier: TierName | "all";
  readonly force: boolean;
}

interface ReflectInput extends UnitRequest {
  readonly maxClusters: number;
}

/** Distils what was observed into memories, facts, procedures and insights, each run as a durable job. */
export class Consolidations {
  readonly #ground: Ground;
  readonly #services: ConsolidationServices;

  constructor(ground: Ground, services: ConsolidationServices) {
    this.#ground = ground;
    this.#services = services;
    const { longRuns } = services;
    longRuns.register(memoriesJobKind, (job) => this.#consolidate(job));
    longRuns.register(pipelineJobKind, (job) => runPipeline(ground, services, job));
    longRuns.register(reflectJobKind, (job) => this.#reflect(job));
  }

  /** Makes memories of what was observed, with a model, and runs the tiers around it. */
  consolidate(input: ConsolidateInput, waitMs: number): Promise<Consolidated | Queued> {
    return this.#run<Consolidated>(memoriesJobKind, { ...input, tiers: [...memoryTiers] }, waitMs);
  }

  /** Runs one tier or all of them. */
  pipeline({ tier, ...input }: PipelineInput, waitMs: number): Promise<PipelineAnswer | Queued> {
    const tiers = tier === "all" ? [...tierNames] : [tier];
    return this.#run<PipelineAnswer>(pipelineJobKind, { ...input, tiers }, waitMs);
  }

  /** Looks for insights. Error: invalid_input when agents are isolated and none is named. */
  async reflect(input: ReflectInput, waitMs: number): Promise<Reflected | Queued> {
    await this.#services.agents.reader(this.#ground.store.read.sql, input);
    return this.#run<Reflected>(reflectJobKind, { ...input, force: true }, waitMs);
  }

  afterStop(session: StoppedSession): Promise<void> {
    return distilAfterStop(this.#ground, this.#services, session);
  }

  /** Asks for a run of every project in which something happened. Returns how many. */
  distilActive(): Promise<number> {
    return distilActive(this.#ground, this.#services);
  }

  backgroundHandler(): JobHandler {
    return backgroundHandler(this.#ground, this.#services);
  }

  #run<Result>(kind: string, payload: Partial<RunPayload>, waitMs: number): Promise<Result | Queued> {
    return this.#services.longRuns.run<Result>({ kind, key: JSON.stringify(payload), payload }, waitMs);
  }

  async #consolidate(job: Job): Promise<Consolidated> {
    const payload = RunPayload.parse(job.payload);
    const stage = await openStage(this.#ground, this.#services, job, payload, true);
    const { counts } = await stage.steps.take("candidates", async () => {
      let totalObservations = 0;
      for (const unit of stage.units) totalObservations += (await candidatesOf(stage.run, unit)).length;
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
    for (const tier of ["working", "episodic"] as const) byTier.set(tier, await runTier(stage, tier));
    const made = await makeMemories(stage);
    for (const tier of ["semantic", "procedural"] as const) byTier.set(tier, await runTier(stage, tier));
    const asked = made.results.length;
    await noteRun(stage, job, {
      functionId: "memory.consolidate",
      payload,
      byTier,
      further: made.results,
      qualityScore: asked === 0 ? 0 : Math.round((100 * made.memoryIds.length) / asked),
    });
    const { warning } = together([...byTier.values(), ...made.results]);
    return {
      consolidated: made.memoryIds.length,
      totalObservations,
      memoryIds: made.memoryIds,
      results: tierResults(byTier),
      ...(warning === undefined ? {} : { warning }),
    };
  }

  async #reflect(job: Job): Promise<Reflected> {
    const { audit, agents } = this.#services;
    const payload = RunPayload.parse(job.payload);
    const stage = await openStage(this.#ground, this.#services, job, payload, true);
    const result = await reflectOnUnits(stage, payload.maxClusters);
    const { newInsights = 0, reinforced = 0, clustersProcessed = 0, clustersSkipped = 0 } = result.counts;
    const counts = { newInsights, reinforced, clustersProcessed, clustersSkipped };
    // What changed nothing leaves no entry.
    if (result.targetIds.length > 0) {
      await stage.steps.take("end", async () => async (tx) => {
        await audit.record(tx, {
          operation: "reflect",
          functionId: "insight.reflect",
          targetIds: result.targetIds,
          details: { ...counts, jobId: job.id },
          agentId: await agents.writer(tx.sql, { agentId: payload.agentId }),
        });
        return { counts: {}, targetIds: [] };
      });
    }
    const { provider = "extractive", warning } = result;
    // Where there was nothing to look at there was no graph to look into.
    const usedFallback = result.skipped !== undefined || result.usedFallback === true;
    return { ...counts, usedFallback, provider, ...(warning === undefined ? {} : { warning }) };
  }
}
