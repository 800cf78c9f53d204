import type { LlmProvider } from "../config/provider.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import type { CallFailure, CallOutcome, ModelCall, ProviderModel } from "./model-call.ts";

export type OpenModel = (provider: LlmProvider) => Promise<ProviderModel>;

export type LaneCall = Omit<ModelCall, "answerSchema"> & {
  readonly answerSchema: Readonly<Record<string, unknown>>;
};

type Answered = Extract<CallOutcome, { kind: "answered" }>;

export interface Attempt {
  readonly outcome: CallOutcome;
  /** Undefined when the caller finds the answer good. */
  readonly failure: CallFailure | undefined;
}

/** One provider with its guard, and what was learned about how its server wants to be asked. */
export class ModelLane {
  readonly provider: LlmProvider;
  readonly breaker: CircuitBreaker;
  readonly #open: OpenModel;
  #model: Promise<ProviderModel> | undefined;
  /** The server did nothing with the fields beyond the plain interface, and answered without them. */
  #takesOnlyPlain: boolean;

  constructor(provider: LlmProvider, now: () => number, open: OpenModel) {
    this.provider = provider;
    this.breaker = new CircuitBreaker(now);
    this.#open = open;
    this.#takesOnlyPlain = provider.kind === "minimax";
  }

  /** One answer, read by `judge`, which says whether it is one; the guard learns of the outcome. */
  async call(call: LaneCall, judge: (answer: Answered) => boolean): Promise<Attempt> {
    const wasPlain = this.#takesOnlyPlain;
    let outcome = await this.#generate(wasPlain ? plain(call) : call);
    if (!wasPlain && gaveNothing(outcome)) {
      outcome = withTokensOf(outcome, await this.#generate(plain(call)));
      if (!gaveNothing(outcome)) this.#takesOnlyPlain = true;
    }
    const failure =
      outcome.kind === "failed" ? outcome.failure : judge(outcome) ? undefined : ("unreadable" as const);
    if (failure === undefined) this.breaker.succeeded();
    else this.breaker.failed(failure, outcome.kind === "failed" ? outcome.retryAfterMs : undefined);
    return { outcome, failure };
  }

  async #generate(call: ModelCall): Promise<CallOutcome> {
    try {
      this.#model ??= this.#open(this.provider);
      const model = await this.#model;
      return await model.generate(call);
    } catch (error) {
      this.#model = undefined;
      return { kind: "failed", failure: "unreachable", message: String(error) };
    }
  }
}

function plain(call: LaneCall): ModelCall {
  return { ...call, answerSchema: undefined };
}

function withTokensOf(first: CallOutcome, second: CallOutcome): CallOutcome {
  if (first.kind !== "answered" || second.kind !== "answered") return second;
  return {
    ...second,
    inputTokens: sum(first.inputTokens, second.inputTokens),
    outputTokens: sum(first.outputTokens, second.outputTokens),
  };
}

function sum(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined || second === undefined ? undefined : first + second;
}

/** The request was refused, or answered without the answer: so do servers that do not know what a schema is. */
function gaveNothing(outcome: CallOutcome): boolean {
  return outcome.kind === "failed" ? outcome.failure === "refused" : outcome.text.trim() === "";
}
