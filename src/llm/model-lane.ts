import type { LlmProvider } from "../config/provider.ts";
import { CircuitBreaker, type Clocks } from "./circuit-breaker.ts";
import type { CallFailure, CallOutcome, ModelCall, ProviderModel } from "./model-call.ts";
import { withoutOwnKey } from "./own-key.ts";

export type OpenModel = (provider: LlmProvider) => Promise<ProviderModel>;

/** The contents of a question, independent of how a server wants to be asked. */
export type LaneCall = Omit<ModelCall, "answerSchema" | "signal"> & {
  readonly answerSchema: Readonly<Record<string, unknown>>;
};

type Answered = Extract<CallOutcome, { kind: "answered" }>;

export interface Attempt {
  readonly outcome: CallOutcome;
  /** Undefined if the caller accepts the answer. */
  readonly failure: CallFailure | undefined;
}

interface Terms {
  /** Whether an answer is usable. */
  readonly judge: (answer: Answered) => boolean;
  /** Wraps every request; rejects if a limit forbids it. */
  readonly within: (send: (signal: AbortSignal) => Promise<Attempt>) => Promise<Attempt>;
}

/**
 * What a request contains beyond the basic API, most first. Some servers and models refuse the fields that turn thinking
 * off, and some of these an answer schema, too.
 */
const forms = [
  { name: "quick", hasSchema: true, noThinking: true },
  { name: "schema", hasSchema: true, noThinking: false },
  { name: "plain", hasSchema: false, noThinking: false },
] as const;
type Form = (typeof forms)[number];

/** One provider with its circuit breaker, and what was learned about its server. */
export class ModelLane {
  readonly provider: LlmProvider;
  readonly breaker: CircuitBreaker;
  /** The last problem; cleared by a success. */
  lastProblem: string | undefined;
  readonly #open: OpenModel;
  #model: Promise<ProviderModel> | undefined;
  /** The form that the server answered after it had refused those before it. */
  #firstForm: Form["name"];

  constructor(provider: LlmProvider, clocks: Clocks, open: OpenModel) {
    this.provider = provider;
    this.breaker = new CircuitBreaker(clocks);
    this.#open = open;
    this.#firstForm = provider.kind === "minimax" ? "plain" : "quick";
  }

  /** One answer, from up to three requests; its outcome is reported to the circuit breaker. Rejects as `within` does. */
  async call(call: LaneCall, { judge, within }: Terms): Promise<Attempt> {
    const ask = ({ hasSchema, noThinking }: Form) =>
      within((signal) =>
        this.#attempt(
          { ...call, answerSchema: hasSchema ? call.answerSchema : undefined, noThinking, signal },
          judge,
        ),
      );
    const [first, ...simpler] = this.#formsFor(call);
    let attempt = await ask(first);
    for (const form of simpler) {
      if (!gaveNothing(attempt.outcome)) break;
      attempt = await ask(form);
      if (attempt.outcome.kind === "answered" && !gaveNothing(attempt.outcome)) this.#firstForm = form.name;
    }
    const { outcome, failure } = attempt;
    if (failure === undefined) this.breaker.succeeded();
    else this.breaker.failed(failure, outcome.kind === "failed" ? outcome.retryAfterMs : undefined);
    return attempt;
  }

  #formsFor({ noThinking }: LaneCall): readonly [Form, ...Form[]] {
    const [quick, schema, plain] = forms;
    if (this.#firstForm === "plain") return [plain];
    return noThinking && this.#firstForm === "quick" ? [quick, schema, plain] : [schema, plain];
  }

  async #attempt(call: ModelCall, judge: Terms["judge"]): Promise<Attempt> {
    const outcome = this.#withoutKey(await this.#generate(call));
    if (outcome.kind === "failed") return { outcome, failure: outcome.failure };
    return { outcome, failure: judge(outcome) ? undefined : "unreadable" };
  }

  #withoutKey(outcome: CallOutcome): CallOutcome {
    const { apiKey } = this.provider;
    return outcome.kind === "answered"
      ? { ...outcome, text: withoutOwnKey(outcome.text, apiKey) }
      : { ...outcome, message: withoutOwnKey(outcome.message, apiKey) };
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

/** Whether a request was refused or answered with nothing, as servers do that do not support its fields. */
function gaveNothing(outcome: CallOutcome): boolean {
  return outcome.kind === "failed" ? outcome.failure === "refused" : outcome.text.trim() === "";
}
