import type * as z from "zod";
import type { LlmKind } from "../config/provider.ts";

/** What a model is asked for; calls and tokens are counted by it. */
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
  /** What the model is to do, the same for every call of the purpose. */
  readonly instructions: string;
  /** What it is to do it with: redacted text. */
  readonly prompt: string;
  /** Shape of the answer, an object; one that does not fit is asked for once more. */
  readonly schema: Schema;
  /**
   * Nobody waits for the answer. Such a call is made only if the whole of it fits into what is left of the daily
   * budget; a call that somebody waits for, as long as anything is left.
   */
  readonly background: boolean;
}

export interface LlmAnswer<Value> {
  readonly value: Value;
  readonly provider: LlmKind;
  readonly model: string;
}

/** State of the guard that keeps a failing provider from being asked at every turn. Times in milliseconds. */
export interface LlmState {
  readonly state: "closed" | "open" | "half-open";
  /** In a row. */
  readonly failures: number;
  readonly lastFailureAt: number | null;
  readonly openedAt: number | null;
  /** Of each provider that was asked in vain: why, until it gives an answer again. */
  readonly problems: readonly string[];
  /** What its operator has to see to, such as a key that is refused. */
  readonly alert?: string;
}

/** What understands text. Whoever asks has rules for the case that it does not answer. */
export interface LanguageModel {
  readonly provider: LlmKind | "noop";
  /** Name of the model in use; undefined without a provider. */
  readonly model?: string;
  /**
   * Errors: provider_failed (no usable answer; `extra.reason` tells why), unavailable (no provider, guard open, or
   * budget spent; with `extra.retryAfterMs` when it is worth waiting, which a job does by itself).
   */
  ask<Schema extends z.ZodType>(request: LlmRequest<Schema>): Promise<LlmAnswer<z.output<Schema>>>;
  state(): LlmState;
  close(): Promise<void>;
}
