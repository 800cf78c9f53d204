import { randomBytes } from "node:crypto";
import type { Log } from "../ground.ts";
import { type ErrorCode, errorTable, isMemsvcError, type MemsvcError } from "./errors.ts";

/** What a client is told of a failure. */
export interface ErrorReply {
  readonly status: number;
  readonly body: { readonly error: string } & Readonly<Record<string, unknown>>;
  /** The way out, for those who show it beside the body. */
  readonly hint?: string | undefined;
}

/** Nobody foresaw them, but they tell of the store alone, and what to do. */
const ofTheStore: ReadonlySet<ErrorCode> = new Set(["disk_full", "store_damaged", "store_newer"]);

/**
 * What is told of a failure. What was not foreseen shows a reference only; the log has the rest, so the error must
 * quote no stored text (`unwrapQueryError`).
 */
export function errorReplyOf(error: unknown, log: Log): ErrorReply {
  const refusal = expectedErrorReply(error);
  if (refusal !== undefined) return refusal;
  const reference = randomBytes(6).toString("hex");
  log("error", "a request failed", {
    reference,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  const unforeseen = `internal error, reference ${reference}`;
  if (!isMemsvcError(error) || !ofTheStore.has(error.code))
    return { status: 500, body: { error: unforeseen } };
  return { status: 500, body: { error: `${error.message}; ${unforeseen}` }, hint: error.hint };
}

/** What is told of an error that was foreseen; undefined for all others. */
export function expectedErrorReply(error: unknown): ErrorReply | undefined {
  if (!isMemsvcError(error)) return undefined;
  const { status } = errorTable[error.code];
  if (status === 500) return undefined;
  const issues = error.issues === undefined ? {} : { issues: error.issues };
  return { status, body: { error: sentence(error), ...issues, ...error.extra }, hint: error.hint };
}

/** The error's own sentence, and the way out where that is not a command line's. */
function sentence(error: MemsvcError): string {
  return error.hint === undefined || error.hint.includes("memsvc ")
    ? error.message
    : `${error.message}; ${error.hint}`;
}
