/*
 * What passes between memsvc and the code of a provider: plain values, because the latter is a bundle of its own
 * with classes of its own.
 */

export interface ModelCall {
  readonly instructions: string;
  readonly prompt: string;
  /** JSON schema of the answer; undefined for servers that do not take one: the instructions tell it too. */
  readonly answerSchema: Readonly<Record<string, unknown>> | undefined;
  readonly maxTokens: number;
  /** Whether a reasoning model is told to answer at once, where the server takes fields beyond the plain interface. */
  readonly noThinking: boolean;
  readonly signal: AbortSignal;
}

/**
 * Why a call gave no text. `broken_off`: the answer began, and the rest did not come. `refused` is any other 4xx: the
 * request itself is not to the server's liking.
 */
export type CallFailure =
  | "timed_out"
  | "broken_off"
  | "unreachable"
  | "server_error"
  | "rate_limited"
  | "unreadable"
  | "unauthorized"
  | "refused"
  | "cancelled";

interface TokenUsage {
  /** Undefined where the server does not count. */
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

export type CallOutcome =
  | ({ readonly kind: "answered"; readonly text: string } & TokenUsage)
  | {
      readonly kind: "failed";
      readonly failure: CallFailure;
      /** In the provider's words; neither redacted nor cut. */
      readonly message: string;
      readonly retryAfterMs?: number;
    };

/** One model of one provider. Never rejects. */
export interface ProviderModel {
  generate(call: ModelCall): Promise<CallOutcome>;
}
