import { errorCode } from "../system/error-code.ts";

const noAnswerCode = "NO_ANSWER";

/** The error when a request was sent but no answer came in time. */
export function timeoutError(timeoutMs: number): Error {
  return Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: noAnswerCode });
}

export function isTimeoutError(error: unknown): boolean {
  return errorCode(error) === noAnswerCode;
}

/** The error when a connection ended before the answer was complete, with node:http's code for it. */
export function connectionResetError(): Error {
  return Object.assign(new Error("the connection ended before the answer"), { code: "ECONNRESET" });
}

/** The connection ended, or nothing came for minutes. The UND_ codes are those of fetch. */
const notAnswered: ReadonlySet<string | undefined> = new Set([
  noAnswerCode,
  "ECONNRESET",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/** Whether a request was sent, but it is unknown whether it was carried out. */
export function isOutcomeUnknown(error: unknown): boolean {
  // fetch throws a TypeError that only says that it failed; the code is in its cause.
  return notAnswered.has(errorCode(error instanceof TypeError ? error.cause : error));
}

/** Nobody listens at the address, or a sandbox keeps this process from the network. */
const notConnected: ReadonlySet<string | undefined> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EPERM",
  "EACCES",
]);

/** Whether no connection was made, so that the request cannot have been carried out. */
export function wasNeverSent(error: unknown): boolean {
  return notConnected.has(errorCode(error));
}
