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

/** More than any model reads at once. */
const mostTokensOfCall = 100_000_000;

/** The checks that apply to every request of every provider: limits, timeout, metrics and usage accounting. */
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

  /**
   * Sends one request, which `stop` or the timeout aborts. Error: unavailable, with the time to wait, if a limit is
   * reached.
   */
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

  /** Reserves room within the limits; returns the function that releases it. */
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

/** An error that is worth a retry after the given time. */
export function waiting(message: string, waitMs: number): MemsvcError {
  return new MemsvcError("unavailable", message, { extra: { retryAfterMs: Math.ceil(waitMs) } });
}

/** Failures after which the model has worked, so that tokens were used. */
const worked: ReadonlySet<CallFailure> = new Set(["timed_out", "broken_off", "unreadable"]);

/**
 * The tokens that a request used; estimated from the texts if the server does not report them or the answer is
 * incomplete.
 */
function spentOn(call: LaneCall, { outcome, failure }: Attempt): Spent {
  const sent = mostTokensSent(call);
  if (outcome.kind === "answered")
    return {
      inputTokens: countIn(outcome.inputTokens) ?? sent,
      outputTokens: countIn(outcome.outputTokens) ?? mostTokensIn(outcome.text),
    };
  return { inputTokens: failure !== undefined && worked.has(failure) ? sent : 0, outputTokens: 0 };
}

/**
 * A token count from a server; undefined if it is implausible. A negative one, for example, would add to the budget.
 */
function countIn(told: number | undefined): number | undefined {
  return told !== undefined && Number.isInteger(told) && told >= 0 && told <= mostTokensOfCall
    ? told
    : undefined;
}

function mostTokensSent({ instructions, prompt }: LaneCall): number {
  return mostTokensIn(instructions) + mostTokensIn(prompt);
}
