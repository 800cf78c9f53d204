import { percentDecoded } from "../text/percent-decoded.ts";
import { type ErrorCode, errorTable } from "./errors.ts";

/*
 * What an error answer says besides its body, in headers: the body's fields are fixed by the route's contract, a hint
 * that is a command is of no use to other clients, and several codes share a status.
 */

export const hintHeader = "X-Memsvc-Hint";
export const codeHeader = "X-Memsvc-Code";

interface InHeaders {
  readonly code?: ErrorCode | undefined;
  readonly hint?: string | undefined;
}

/** A hint may quote the request, and servers and clients limit the size of headers. */
const longestHeader = 4_096;

/** The headers for an error; without a hint if there is none or it is too long. */
export function errorHeaders({ code, hint }: InHeaders): Readonly<Record<string, string>> {
  const value = hint === undefined ? undefined : encodeURIComponent(hint.toWellFormed());
  return {
    ...(code === undefined ? {} : { [codeHeader]: code }),
    ...(value === undefined || value.length > longestHeader ? {} : { [hintHeader]: value }),
  };
}

/** Reads the headers of an answer, by their names in lower case. Values that are not memsvc's are left out. */
export function readErrorHeaders(headers: Readonly<Record<string, unknown>>): InHeaders {
  const code = headers[codeHeader.toLowerCase()];
  const hint = headers[hintHeader.toLowerCase()];
  return {
    ...(isErrorCode(code) ? { code } : {}),
    ...(typeof hint === "string" ? { hint: percentDecoded(hint) } : {}),
  };
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorTable, value);
}
