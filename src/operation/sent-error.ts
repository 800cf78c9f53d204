import { type ErrorCode, isMemsvcError, MemsvcError } from "./errors.ts";

/** The parts of an error that can be sent between threads; class and cause are lost. */
export interface SentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

/** The sendable form of an error; an error that is not ours becomes `internal`. */
export function sentError(error: unknown): SentError {
  if (!isMemsvcError(error)) return { code: "internal", message: String(error), hint: undefined };
  const { code, message, hint } = error;
  return { code, message, hint };
}

/** Restores an error that another thread has sent. */
export function receivedError({ code, message, hint }: SentError): MemsvcError {
  return new MemsvcError(code, message, { hint });
}
