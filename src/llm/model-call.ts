/*
 * The interface between memsvc and the code of providers. Plain values only, because that code is a bundle of its own,
 * with its own copies of classes.
 */

export interface ModelCall {
  readonly instructions: string;
  readonly prompt: string;
  /** JSON Schema of the answer; undefined for servers that do not accept one. The instructions contain it too. */
  readonly answerSchema: Readonly<Record<string, unknown>> | undefined;
  readonly maxTokens: number;
  /** Whether a reasoning model is told by the server's own fields to answer without thinking. */
  readonly noThinking: boolean;
  readonly signal: AbortSignal;
}

/** Why a call returned no text. `broken_off`: the answer began, but did not end. `refused`: any other 4xx status. */
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
  /** Undefined if the server does not report it. */
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

export type CallOutcome =
  | ({ readonly kind: "answered"; readonly text: string } & TokenUsage)
  | {
      readonly kind: "failed";
      readonly failure: CallFailure;
      /** The provider's message; neither redacted nor cut. */
      readonly message: string;
      readonly retryAfterMs?: number;
    };

/** One model of one provider. Never rejects. */
export interface ProviderModel {
  generate(call: ModelCall): Promise<CallOutcome>;
}
