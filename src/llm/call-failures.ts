import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  TypeValidationError,
} from "@ai-sdk/provider";
import { askedWaitMs } from "../net/retry-after-header.ts";
import type { CallFailure, CallOutcome } from "./model-call.ts";

/** Timeouts of the server and of proxies in front of it (524 is Cloudflare's): the model has worked. */
const tooSlow: ReadonlySet<number> = new Set([408, 504, 524]);

type Failed = Extract<CallOutcome, { kind: "failed" }>;

/** Classifies a failed call. */
export function failureOf(error: unknown, signal: AbortSignal): Failed {
  const message = error instanceof Error ? error.message : String(error);
  if (signal.aborted) return { kind: "failed", failure: abortedBy(signal), message };
  if (APICallError.isInstance(error)) return ofCall(error, message);
  return { kind: "failed", failure: isUnreadable(error) ? "unreadable" : "unreachable", message };
}

function isUnreadable(error: unknown): boolean {
  return (
    JSONParseError.isInstance(error) ||
    TypeValidationError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error)
  );
}

function abortedBy({ reason }: AbortSignal): "timed_out" | "cancelled" {
  return reason instanceof Error && reason.name === "TimeoutError" ? "timed_out" : "cancelled";
}

function ofCall({ statusCode, responseHeaders, cause }: APICallError, message: string): Failed {
  const failure = ofStatus(statusCode, cause);
  const retryAfterMs = failure === "rate_limited" ? askedWaitMs(responseHeaders?.["retry-after"]) : undefined;
  return {
    kind: "failed",
    failure,
    message: statusCode === undefined ? message : `HTTP ${statusCode}: ${message}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function ofStatus(status: number | undefined, cause: unknown): CallFailure {
  if (status === undefined) return "unreachable";
  // A success status: either the rest of the body is missing, or it does not conform to the API.
  if (status < 300) return isUnreadable(cause) ? "unreadable" : "broken_off";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 429) return "rate_limited";
  if (tooSlow.has(status)) return "timed_out";
  return status < 500 ? "refused" : "server_error";
}
