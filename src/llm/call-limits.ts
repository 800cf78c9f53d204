import type * as z from "zod";
import type { Ground } from "../ground.ts";
import { callSignal } from "../net/call-signal.ts";
import { MemsvcError } from "../operation/errors.ts";
import type { Metrics } from "../operation/metrics.ts";
import { HourlyLimit } from "./hourly-limit.ts";
import type { LlmRequest } from "./language-model.ts";
import type { CallFailure } from "./model-call.ts";
import type { Attempt, LaneCall } from "./model-lane.ts";
import { mostTokensIn, TokenBudget } from "./token-budget.ts";
import { countCall } from "./usage.ts";

type LimitsGround = Pick<Ground, "store" | "settings" | "now" | "monotonic">;

interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Beyond what any model reads at once. */
const mostTokensOfCall = 100_000_000;

/** What every request of every provider passes: the limits, the time-out, the metrics and the account. */
export class CallLimits {
  readonly #ground: LimitsGround;
  readonly #metrics: Metrics;
  readonly #hourly: HourlyLimit;
  readonly #budget: TokenBudget;

  constructor(ground: LimitsGround, metrics: Metrics) {
    const { settings, monotonic } = ground;
    this.#ground = ground;
    this.#metrics = metrics;
    this.#hourly = new HourlyLimit(settings.llmMaxCallsPerHour, monotonic);
    this.#budget = new TokenBudget(ground, settings.llmDailyTokens);
  }

  /** Sends one request, which `stop` or the time-out breaks off. Error: unavailable, with the time to wait, when a limit is reached. */
  async within(
    { purpose, background }: Pick<LlmRequest<z.ZodType>, "purpose" | "background">,
    call: LaneCall,
    stop: AbortSignal,
    send: (signal: AbortSignal) => Promise<Attempt>,
  ): Promise<Attempt> {
    const { settings, store, now } = this.#ground;
    const free = await this.#takePlace(call, background);
    try {
      const { signal, release } = callSignal(settings.llmTimeoutMs, stop);
      const startedAt = performance.now();
      const attempt = await send(signal).finally(release);
      const failed = attempt.failure !== undefined;
      this.#metrics.record("llm.complete", performance.now() - startedAt, failed);
      await countCall({ store, now }, { purpose, failed, ...spentOn(call, attempt) });
      return attempt;
    } finally {
      free();
    }
  }

  /** Gives the function that frees what was set aside. */
  async #takePlace(call: LaneCall, background: boolean): Promise<() => void> {
    const set = await this.#budget.take(mostTokensSent(call) + call.maxTokens, background);
    if (!set.taken)
      throw waiting(
        "the day's token budget of language models is spent (MEMSVC_LLM_DAILY_TOKENS)",
        set.waitMs,
      );
    const place = this.#hourly.take();
    if (place.taken) return set.free;
    set.free();
    throw waiting(
      "the hour's calls of language models are spent (MEMSVC_LLM_MAX_CALLS_PER_HOUR)",
      place.waitMs,
    );
  }
}

/** It is worth asking again after the time given. */
export function waiting(message: string, waitMs: number): MemsvcError {
  return new MemsvcError("unavailable", message, { extra: { retryAfterMs: Math.ceil(waitMs) } });
}

/** The model was at work, whatever came of it. */
const worked: ReadonlySet<CallFailure> = new Set(["timed_out", "broken_off", "unreadable"]);

/** What a request used. Where the server does not count, or its answer did not come whole, the texts are estimated. */
function spentOn(call: LaneCall, { outcome, failure }: Attempt): Spent {
  const sent = mostTokensSent(call);
  if (outcome.kind === "answered")
    return {
      inputTokens: countIn(outcome.inputTokens) ?? sent,
      outputTokens: countIn(outcome.outputTokens) ?? mostTokensIn(outcome.text),
    };
  return { inputTokens: failure !== undefined && worked.has(failure) ? sent : 0, outputTokens: 0 };
}

/** A number of tokens that a server tells, unless no call can have it: a negative one would give budget back. */
function countIn(told: number | undefined): number | undefined {
  return told !== undefined && Number.isInteger(told) && told >= 0 && told <= mostTokensOfCall
    ? told
    : undefined;
}

function mostTokensSent({ instructions, prompt }: LaneCall): number {
  return mostTokensIn(instructions) + mostTokensIn(prompt);
}
