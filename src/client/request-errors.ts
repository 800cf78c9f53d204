import { errorCode } from "../system/error-code.ts";

const noAnswerCode = "NO_ANSWER";

/** That a request was sent, and its answer did not come in time. */
export function timeoutError(timeoutMs: number): Error {
  return Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: noAnswerCode });
}

export function isTimeoutError(error: unknown): boolean {
  return errorCode(error) === noAnswerCode;
}

/** That a connection ended before the answer had come, under the code that node:http has for it. */
export function connectionResetError(): Error {
  return Object.assign(new Error("the connection ended before the answer"), { code: "ECONNRESET" });
}

/** The connection ended, or nothing came for minutes; the last three are the codes of fetch. */
const notAnswered: ReadonlySet<string | undefined> = new Set([
  noAnswerCode,
  "ECONNRESET",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/** Whether a request was sent and nobody knows what became of it. */
export function isOutcomeUnknown(error: unknown): boolean {
  // What fetch throws says no more than that it failed.
  return notAnswered.has(errorCode(error instanceof TypeError ? error.cause : error));
}

/** Nobody listens there, or this process is kept from the network, as in a sandbox. */
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

/** Whether no connection was made, so that nothing can have been carried out. */
export function wasNeverSent(error: unknown): boolean {
  return notConnected.has(errorCode(error));
}
