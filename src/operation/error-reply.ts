import { randomBytes } from "node:crypto";
import type { Log } from "../ground.ts";
import { type ErrorCode, errorTable, isMemsvcError, type MemsvcError } from "./errors.ts";
import { internalError } from "./internal-error.ts";

/** What a client is told about a failure. */
export interface ErrorReply {
  readonly status: number;
  readonly code: ErrorCode;
  readonly body: { readonly error: string } & Readonly<Record<string, unknown>>;
  /** The error's hint, for faces that show it outside the body. */
  readonly hint?: string | undefined;
}

/**
 * Unforeseen errors (status 500) whose message is shown all the same: it describes the state of the store only, and
 * helps.
 */
const storeErrors: ReadonlySet<ErrorCode> = new Set(["disk_full", "store_damaged", "store_newer"]);

/**
 * The reply to an error. An unforeseen one shows a reference number only, and the details go to the log; so an error
 * must not quote stored text (`unwrapQueryError`).
 */
export function errorReplyOf(error: unknown, log: Log): ErrorReply {
  const refusal = expectedErrorReply(error);
  if (refusal !== undefined) return refusal;
  const reference = randomBytes(6).toString("hex");
  log("error", "a request failed", {
    reference,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  if (!isMemsvcError(error) || !storeErrors.has(error.code))
    return { status: 500, code: "internal", body: { error: internalError(reference) } };
  const { code, message, hint } = error;
  return { status: 500, code, body: { error: internalError(reference, message) }, hint };
}

/** The reply to a foreseen error; undefined for all others. */
export function expectedErrorReply(error: unknown): ErrorReply | undefined {
  if (!isMemsvcError(error)) return undefined;
  const { code, hint } = error;
  const { status } = errorTable[code];
  if (status === 500) return undefined;
  const issues = error.issues === undefined ? {} : { issues: error.issues };
  return { status, code, body: { error: sentence(error), ...issues, ...error.extra }, hint };
}

/** The error's message, with the hint unless that is a command. */
function sentence(error: MemsvcError): string {
  return error.hint === undefined || error.hint.includes("memsvc ")
    ? error.message
    : `${error.message}; ${error.hint}`;
}
