import { and, eq } from "drizzle-orm";
import type { ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import { requestedView, type ViewRequest, viewCondition } from "../../capture/sessions/view.ts";
import type { Clockwork } from "../../coordination/clockwork.ts";
import type { Ground } from "../../ground.ts";
import type { LongRuns } from "../../jobs/long-runs.ts";
import type { Queued } from "../../operation/long-operation.ts";
import { newestFirst, type Paged, type Paging, pageOf } from "../../store/page.ts";
import type { AutoCrystals, Group } from "./auto-crystals.ts";
import type { CrystalServices, MadeCrystal } from "./make-crystal.ts";
import { type Crystal, crystalRecord } from "./record.ts";
import { crystals } from "./tables.ts";

const createJobKind = "crystal.create";
const autoJobKind = "crystal.auto";
/** The least age of actions that are condensed in the background. */
const usualAgeDays = 7;

interface CreateInput extends ScopeRequest {
  readonly actionIds: readonly string[];
  readonly project?: string | undefined;
}

interface AutoInput extends ScopeRequest {
  readonly olderThanDays: number;
  readonly project?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

type AutoAnswer =
  | (AutoCrystals & { readonly dryRun: false })
  | {
      readonly groupCount: number;
      readonly crystalIds: string[];
      readonly groups: Group[];
      readonly dryRun: true;
    };

interface Services extends CrystalServices {
  readonly clockwork: Clockwork;
  readonly longRuns: LongRuns;
}

/** Crystals: short accounts of finished actions. */
export class Crystals {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
    // The code is loaded by the first job: most commands open the core without one.
    services.longRuns.register(createJobKind, async (job) =>
      (await import("./job-runs.ts")).runCreate(ground, services, job),
    );
    services.longRuns.register(autoJobKind, async (job) =>
      (await import("./job-runs.ts")).runAuto(ground, services, job),
    );
  }

  /**
   * Condenses finished actions: answers with the crystal if that takes at most `waitMs`, else with the job.
   * Errors: not_found, with `notFound`; conflict, with `unfinished` or `crystallized`.
   */
  async create(input: CreateInput, waitMs: number): Promise<MadeCrystal | Queued> {
    await this.#services.clockwork.beforeRead();
    const { read } = this.#ground.store;
    const { crystallizableActions, makeCrystal } = await import("./make-crystal.ts");
    await crystallizableActions(read, input.actionIds);
    const { actionIds, project, sessionId } = input;
    const agentId = await this.#services.agents.writer(read.sql, input);
    const wish = { actionIds, project, sessionId, agentId };
    // Rules are quick; only a model may take longer than a request.
    if (this.#ground.llm.provider === "noop")
      return makeCrystal(this.#ground, this.#services, { ...wish, functionId: "crystal.create" });
    const key = JSON.stringify(wish);
    return this.#services.longRuns.run<MadeCrystal>({ kind: createJobKind, key, payload: wish }, waitMs);
  }

  /**
   * Condenses actions that were finished long ago; answers with the job if that takes longer than `waitMs`.
   */
  async auto(
    { dryRun = false, olderThanDays, project, ...request }: AutoInput,
    waitMs: number,
  ): Promise<AutoAnswer | Queued> {
    const { read } = this.#ground.store;
    const { groupActions, makeCrystals } = await import("./auto-crystals.ts");
    if (dryRun) {
      const groups = await groupActions(this.#ground, this.#services, { olderThanDays, project });
      return { groupCount: groups.length, crystalIds: [], groups, dryRun };
    }
    const agentId = await this.#services.agents.writer(read.sql, request);
    const wish = { olderThanDays, project, agentId };
    const made =
      this.#ground.llm.provider === "noop"
        ? await makeCrystals(this.#ground, this.#services, wish)
        : await this.#services.longRuns.run<AutoCrystals>(
            { kind: autoJobKind, key: JSON.stringify(wish), payload: wish },
            waitMs,
          );
    return "queued" in made ? made : { ...made, dryRun };
  }

  /** Condenses old finished actions of a project, for background work. */
  async condenseOld(place: Pick<AutoInput, "project" | "agentId">): Promise<void> {
    const { makeCrystals } = await import("./auto-crystals.ts");
    const agentId = await this.#services.agents.writer(this.#ground.store.read.sql, place);
    const wish = { ...place, agentId, olderThanDays: usualAgeDays, background: true };
    await makeCrystals(this.#ground, this.#services, wish);
  }

  /** Newest first. */
  async list(input: ViewRequest & Paging): Promise<{ crystals: Crystal[] } & Paged> {
    const { read } = this.#ground.store;
    const where = and(
      viewCondition(await requestedView(read.sql, this.#services, input), crystals),
      input.sessionId === undefined ? undefined : eq(crystals.sessionId, input.sessionId),
    );
    const { rows, ...page } = await pageOf(read, crystals, { where, order: newestFirst(crystals) }, input);
    return { crystals: rows.map(crystalRecord), ...page };
  }
}
