import type { ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { Clockwork } from "../../coordination/clockwork.ts";
import type { Ground } from "../../ground.ts";
import type { LongRuns } from "../../jobs/long-runs.ts";
import type { Queued } from "../../operation/long-operation.ts";
import type { CrystalServices } from "../crystals/make-crystal.ts";
import type { CompressedFlow } from "./answers.ts";
import type { FlowRequest } from "./compress.ts";

const jobKind = "flow.compress";

interface Services extends CrystalServices {
  readonly clockwork: Clockwork;
  readonly longRuns: LongRuns;
}

/** Remembers how work was done, so that it can be done again. */
export class Flow {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
    services.longRuns.register(jobKind, async ({ id, payload }) =>
      // `compress` made the payload.
      (await import("./compress.ts")).compressFlow(ground, services, {
        ...(payload as FlowRequest),
        jobId: id,
      }),
    );
  }

  /**
   * Remembers how finished work was done: answers with the summary if that takes at most `waitMs`, else with
   * the job. Error: not_found, with `notFound`.
   */
  async compress(input: ScopeRequest & FlowRequest, waitMs: number): Promise<CompressedFlow | Queued> {
    await this.#services.clockwork.beforeRead();
    const { read } = this.#ground.store;
    const { requestedActions, compressFlow } = await import("./compress.ts");
    const agentId = await this.#services.agents.writer(read.sql, input);
    const { runId, actionIds, project } = input;
    const wish = { runId, actionIds, project, agentId };
    // Rules are quick; only a model may take longer than a request.
    if (this.#ground.llm.provider === "noop") return compressFlow(this.#ground, this.#services, wish);
    await requestedActions(read, this.#services, wish);
    return this.#services.longRuns.run<CompressedFlow>(
      { kind: jobKind, key: JSON.stringify(wish), payload: wish },
      waitMs,
    );
  }
}
