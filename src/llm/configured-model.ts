import type * as z from "zod";
import type { LlmKind, LlmProvider } from "../config/provider.ts";
import { vendorSetting } from "../config/vendor-settings.ts";
import type { Ground } from "../ground.ts";
import { isMemsvcError, MemsvcError } from "../operation/errors.ts";
import type { Metrics } from "../operation/metrics.ts";
import { Semaphore } from "../semaphore.ts";
import { cutCodePoints } from "../text/code-points.ts";
import { redactText } from "../text/redaction/redact.ts";
import { CallLimits, waiting } from "./call-limits.ts";
import type { LanguageModel, LlmAnswer, LlmRequest, LlmState } from "./language-model.ts";
import type { CallFailure } from "./model-call.ts";
import { type Attempt, type LaneCall, ModelLane, type OpenModel } from "./model-lane.ts";
import { QuestionsUnderWay } from "./questions-under-way.ts";
import { answerSchemaOf, type ReadAnswer, readAnswer } from "./read-answer.ts";

const attemptsPerProvider = 2;
const longestMessage = 200;
/**
 * Characters of an answer that are read at most: redacting and parsing block the thread, for some tens of milliseconds
 * at this length.
 */
const readableLength = 262_144;
const mostCharactersOfToken = 16;

type ModelGround = Pick<Ground, "store" | "settings" | "now" | "monotonic" | "log">;

export interface ConfiguredModelOptions {
  /** In the order in which they are asked; the first is the configured one, the others are fallbacks. */
  readonly providers: readonly [LlmProvider, ...LlmProvider[]];
  readonly open: OpenModel;
  readonly metrics: Metrics;
}

/** Why a provider gave no answer. */
interface Problem {
  readonly kind: LlmKind;
  readonly reason: CallFailure | "guarded";
  readonly message: string;
  readonly waitMs?: number;
}

/** Asks the configured provider, then the fallbacks, within all limits. */
export class ConfiguredModel implements LanguageModel {
  readonly #ground: ModelGround;
  readonly #lanes: readonly [ModelLane, ...ModelLane[]];
  readonly #gate: Semaphore;
  readonly #limits: CallLimits;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #questions = new QuestionsUnderWay();

  constructor(ground: ModelGround, { providers, open, metrics }: ConfiguredModelOptions) {
    const { settings } = ground;
    const [first, ...fallbacks] = providers;
    const laneOf = (provider: LlmProvider) => new ModelLane(provider, ground, open);
    this.#ground = ground;
    this.#lanes = [laneOf(first), ...fallbacks.map(laneOf)];
    this.#gate = new Semaphore(settings.llmConcurrency);
    this.#limits = new CallLimits(ground, metrics);
  }

  get provider(): LlmKind {
    return this.#lanes[0].provider.kind;
  }

  get model(): string {
    return this.#lanes[0].provider.model;
  }

  state(): LlmState {
    const refusing = this.#lanes.find(({ breaker }) => breaker.isUnauthorized);
    return {
      ...this.#lanes[0].breaker.state(),
      problems: this.#lanes.flatMap(({ provider, lastProblem }) =>
        lastProblem === undefined ? [] : [`${provider.kind} gave no usable answer: ${lastProblem}`],
      ),
      ...(refusing === undefined ? {} : { alert: `llm_${refusing.provider.kind}_refuses_its_key` }),
    };
  }

  /** Concurrent identical questions share one answer. */
  async ask<Schema extends z.ZodType>(request: LlmRequest<Schema>): Promise<LlmAnswer<z.output<Schema>>> {
    const same = this.#questions.like(request);
    if (same === undefined) return this.#questions.add(request, this.#askAlone(request));
    try {
      return await same;
    } catch (error) {
      // The other question may have been refused for a reason that does not apply to this one, such as the budget for
      // background work.
      if (!isMemsvcError(error, "unavailable")) throw error;
      return this.#askAlone(request);
    }
  }

  async #askAlone<Schema extends z.ZodType>(
    request: LlmRequest<Schema>,
  ): Promise<LlmAnswer<z.output<Schema>>> {
    const answer = this.#gate.run(() => this.#askInTurn(request));
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }

  /** Aborts the calls in progress; their jobs go back into the queue. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#underWay);
  }

  async #askInTurn<Schema extends z.ZodType>(
    request: LlmRequest<Schema>,
  ): Promise<LlmAnswer<z.output<Schema>>> {
    const problems: Problem[] = [];
    for (const lane of this.#lanes) {
      const result = await this.#askLane(lane, request);
      if ("value" in result) return result;
      problems.push(result);
    }
    throw failureOf(problems);
  }

  /** Asks one provider. If the answer does not fit the schema, asks once more and names the problem. */
  async #askLane<Schema extends z.ZodType>(
    lane: ModelLane,
    request: LlmRequest<Schema>,
  ): Promise<LlmAnswer<z.output<Schema>> | Problem> {
    const { kind, model } = lane.provider;
    let complaint = "";
    let last: Problem | undefined;
    for (let attempt = 1; ; attempt += 1) {
      this.#refuseWhenClosing();
      const admission = lane.breaker.admit();
      if (!admission.admitted) {
        const message = lane.lastProblem ?? "it failed";
        // A question that was answered, though unusably, must not be repeated when the circuit breaker allows it again.
        return last ?? { kind, reason: "guarded", message, waitMs: admission.waitMs };
      }
      const { read, ...asked } = await this.#askOnce(lane, request, complaint);
      if (read?.isRead) {
        lane.lastProblem = undefined;
        return { value: read.value, provider: kind, model };
      }
      if (asked.failure === "cancelled") this.#refuseWhenClosing();
      last = this.#noteProblem(lane, request, asked, read?.problem ?? "it is empty");
      if (asked.failure !== "unreadable" || attempt === attemptsPerProvider) return last;
      complaint = `\n\nYour last answer could not be used: ${last.message}. Answer again with one JSON object of the schema.`;
    }
  }

  /** Sends a question and reads the answer. */
  async #askOnce<Schema extends z.ZodType>(
    lane: ModelLane,
    request: LlmRequest<Schema>,
    complaint: string,
  ): Promise<Attempt & { readonly read: ReadAnswer<z.output<Schema>> | undefined }> {
    const call = this.#callFor(request, complaint);
    let read: ReadAnswer<z.output<Schema>> | undefined;
    const judge = ({ text }: { readonly text: string }) => {
      const isEndless = text.length > Math.max(readableLength, call.maxTokens * mostCharactersOfToken);
      read = isEndless
        ? { isRead: false, problem: "it is longer than was asked for" }
        : readAnswer(text, request.schema);
      return read.isRead;
    };
    const within = (send: (signal: AbortSignal) => Promise<Attempt>) =>
      this.#limits.within(request, call, this.#closing.signal, send);
    try {
      return { ...(await lane.call(call, { judge, within })), read };
    } catch (error) {
      lane.breaker.withdrawn();
      throw error;
    }
  }

  /** Logs a failed call or an unusable answer, and remembers it as the provider's last problem. */
  #noteProblem(
    lane: ModelLane,
    { purpose }: Pick<LlmRequest<z.ZodType>, "purpose">,
    { outcome, failure }: Attempt,
    problem: string,
  ): Problem {
    const { kind, model } = lane.provider;
    const hasFailed = outcome.kind === "failed";
    const told = cutCodePoints(redactText(hasFailed ? outcome.message : problem), longestMessage);
    // Vendors retire models; their refusal names the model.
    const isAboutModel = failure === "refused" && told.includes(model);
    const message = isAboutModel
      ? `${told}; to choose another model: memsvc config set ${vendorSetting(kind, "MODEL")} <name>`
      : told;
    this.#ground.log("warn", "a language model gave no usable answer", {
      provider: kind,
      purpose,
      reason: failure,
      // The problem with an answer may quote the answer, so it is not logged.
      ...(hasFailed ? { error: message } : {}),
    });
    lane.lastProblem = message;
    return { kind, reason: failure ?? "unreadable", message };
  }

  #callFor(request: LlmRequest<z.ZodType>, complaint: string): LaneCall {
    const { settings } = this.#ground;
    const answerSchema = answerSchemaOf(request.schema);
    return {
      instructions: redactText(
        `${request.instructions}\n\nAnswer with one JSON object of this JSON schema and nothing else:\n${JSON.stringify(answerSchema)}${settings.llmNothink ? "\nAnswer at once, without thinking first." : ""}`,
      ),
      prompt: redactText(request.prompt) + complaint,
      answerSchema,
      maxTokens: settings.llmMaxTokens,
      noThinking: settings.llmNothink,
    };
  }

  #refuseWhenClosing(): void {
    if (this.#closing.signal.aborted) throw waiting("the service is stopping", 0);
  }
}

/**
 * If all providers are only unavailable for a time, the error tells how long until the first is back; otherwise it
 * lists their failures.
 */
function failureOf(problems: readonly Problem[]): MemsvcError {
  const waits = problems.flatMap(({ waitMs }) => waitMs ?? []);
  const told = problems.map(({ kind, message }) => `${kind}: ${message}`).join("; ");
  if (waits.length === problems.length)
    return waiting(
      `the language model is not called for a while after failures (${told})`,
      Math.min(...waits),
    );
  const [spoken] = problems.filter(({ reason }) => reason !== "guarded");
  return new MemsvcError("provider_failed", `the language model gave no usable answer (${told})`, {
    hint: "look at the provider's settings and its state: memsvc health",
    extra: { reason: spoken?.reason },
  });
}
