import type { StoppedSession } from "../../capture/sessions/stop-step.ts";
import type { Ground } from "../../ground.ts";
import type { JobHandler } from "../../jobs/worker.ts";
import { AnsweredQuestions } from "../../llm/answered-questions.ts";
import type { Queued } from "../../operation/long-operation.ts";
import type { DryRun } from "../../store/store.ts";
import type { Consolidated, PipelineAnswer, Reflected } from "./answers.ts";
import { backgroundHandler, consolidateActive, consolidateAfterStop } from "./background.ts";
import { KeyedMutex } from "./keyed-mutex.ts";
import type { RunPayload } from "./run-payload.ts";
import type { ConsolidationServices, SharedRunState } from "./services.ts";
import { memoryTiers, type TierName, tierNames } from "./tier-names.ts";
import type { UnitRequest } from "./unit.ts";

const memoriesJobKind = "consolidate.memories";
const pipelineJobKind = "consolidate.pipeline";
const reflectJobKind = "consolidate.reflect";

interface ConsolidateInput extends UnitRequest {
  readonly minObservations: number;
}

interface PipelineInput extends UnitRequest, DryRun {
  readonly tier: TierName | "all";
  readonly force: boolean;
}

interface ReflectInput extends UnitRequest {
  readonly maxClusters: number;
}

/** Consolidates observations into memories, facts, procedures and insights; each run is a durable job. */
export class Consolidations {
  readonly #ground: Ground;
  readonly #services: ConsolidationServices;
  readonly #shared: SharedRunState = { answered: new AnsweredQuestions(), groupsInWork: new KeyedMutex() };

  constructor(ground: Ground, services: ConsolidationServices) {
    this.#ground = ground;
    this.#services = services;
    const { longRuns } = services;
    const shared = this.#shared;
    ground.store.onReplaced(() => this.askAgain());
    // The code is loaded by the first job: most commands open the core without one.
    longRuns.register(memoriesJobKind, async (job) =>
      (await import("./runs.ts")).runConsolidate(ground, services, job, shared),
    );
    longRuns.register(pipelineJobKind, async (job) =>
      (await import("./pipeline.ts")).runPipeline(ground, services, job, shared),
    );
    longRuns.register(reflectJobKind, async (job) =>
      (await import("./runs.ts")).runReflect(ground, services, job, shared),
    );
  }

  /** Has a model make memories from observations, and runs the tiers that belong to it. */
  consolidate(input: ConsolidateInput, waitMs: number): Promise<Consolidated | Queued> {
    return this.#run<Consolidated>(memoriesJobKind, { ...input, tiers: [...memoryTiers] }, waitMs);
  }

  /** Runs one tier or all of them; a dry run tells what decay would drop. */
  async pipeline(
    { tier, dryRun, ...input }: PipelineInput,
    waitMs: number,
  ): Promise<PipelineAnswer | Queued> {
    if (dryRun === true)
      return (await import("./pipeline.ts")).previewDecay(this.#ground, this.#services, input);
    const tiers = tier === "all" ? [...tierNames] : [tier];
    return this.#run<PipelineAnswer>(pipelineJobKind, { ...input, tiers }, waitMs);
  }

  /** Draws insights. Error: invalid_input when agents are isolated and none is named. */
  async reflect(input: ReflectInput, waitMs: number): Promise<Reflected | Queued> {
    await this.#services.agents.reader(this.#ground.store.read.sql, input);
    return this.#run<Reflected>(reflectJobKind, { ...input, force: true }, waitMs);
  }

  afterStop(session: StoppedSession): Promise<void> {
    return consolidateAfterStop(this.#ground, this.#services, session);
  }

  /** Queues a run for every project in which something happened. Returns how many. */
  distilActive(): Promise<number> {
    return consolidateActive(this.#ground, this.#services);
  }

  /** What models answered may be gone, because the rows were replaced: they are asked about the same texts again. */
  askAgain(): void {
    this.#shared.answered.forget();
  }

  backgroundHandler(): JobHandler {
    return backgroundHandler(this.#ground, this.#services, this.#shared);
  }

  #run<Result>(kind: string, payload: Partial<RunPayload>, waitMs: number): Promise<Result | Queued> {
    return this.#services.longRuns.run<Result>({ kind, key: JSON.stringify(payload), payload }, waitMs);
  }
}
