import type * as z from "zod";
import type { LlmKind } from "../config/provider.ts";

/** The purposes of model calls; calls and tokens are counted per purpose. */
export type LlmPurpose =
  | "summary"
  | "compression"
  | "graph"
  | "consolidation"
  | "reflect"
  | "crystal"
  | "file";

export interface LlmRequest<Schema extends z.ZodType> {
  readonly purpose: LlmPurpose;
  /** The task, the same for every call of the purpose. */
  readonly instructions: string;
  /** The material for the task: redacted text. */
  readonly prompt: string;
  /** The shape of the answer, an object. If the answer does not fit, the model is asked once more. */
  readonly schema: Schema;
  /**
   * True if nobody waits for the answer. Such a call is made only if all of it fits into the rest of the daily budget;
   * other calls are made as long as anything is left.
   */
  readonly background: boolean;
}

export interface LlmAnswer<Value> {
  readonly value: Value;
  readonly provider: LlmKind;
  readonly model: string;
}

/** State of the circuit breaker. Times in milliseconds. */
export interface LlmState {
  readonly state: "closed" | "open" | "half-open";
  /** Number of consecutive failures. */
  readonly failures: number;
  readonly lastFailureAt: number | null;
  readonly openedAt: number | null;
  /** The last problem of each provider that is failing at present. */
  readonly problems: readonly string[];
  /** A problem that the operator has to solve, such as a refused key. */
  readonly alert?: string;
}

/** A language model. Callers fall back to rules if it does not answer. */
export interface LanguageModel {
  readonly provider: LlmKind | "noop";
  /** Name of the model in use; undefined without a provider. */
  readonly model?: string;
  /**
   * Errors: provider_failed (no usable answer; `extra.reason` says why), unavailable (no provider, breaker open, or
   * budget spent; with `extra.retryAfterMs` if waiting helps, in which case a job retries by itself).
   */
  ask<Schema extends z.ZodType>(request: LlmRequest<Schema>): Promise<LlmAnswer<z.output<Schema>>>;
  state(): LlmState;
  close(): Promise<void>;
}
