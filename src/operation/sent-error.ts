import { type ErrorCode, isMemsvcError, MemsvcError } from "./errors.ts";

/** An error in the parts that pass from thread to thread, where its class and its cause are lost. */
export interface SentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

/** What another thread is told of an error; one that is none of ours is internal there. */
export function sentError(error: unknown): SentError {
  if (!isMemsvcError(error)) return { code: "internal", message: String(error), hint: undefined };
  const { code, message, hint } = error;
  return { code, message, hint };
}

/** The error that another thread was told of. */
export function receivedError({ code, message, hint }: SentError): MemsvcError {
  return new MemsvcError(code, message, { hint });
}
