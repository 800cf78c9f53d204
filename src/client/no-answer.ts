import { errorCode } from "../error-code.ts";

const noAnswerCode = "NO_ANSWER";

/** That a request was sent, and its answer did not come in time. */
export function noAnswer(timeoutMs: number): Error {
  return Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: noAnswerCode });
}

export function isNoAnswer(error: unknown): boolean {
  return errorCode(error) === noAnswerCode;
}

/** That a connection ended before the answer had come, under the code that node:http has for it. */
export function brokenOff(): Error {
  return Object.assign(new Error("the connection ended before the answer"), { code: "ECONNRESET" });
}

/** Whether a request was sent and nobody knows what became of it. */
export function isDoubtful(error: unknown): boolean {
  return isNoAnswer(error) || errorCode(error) === "ECONNRESET";
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
