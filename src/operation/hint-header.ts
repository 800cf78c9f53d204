import { percentDecoded } from "../text/percent-decoded.ts";

/**
 * Header of an error answer with the hint. It is not in the body, because the body's fields are fixed by the route's
 * contract, and a hint that is a command is of no use to other clients.
 */
export const hintHeader = "X-Memsvc-Hint";

/** A hint may quote the request, and servers and clients limit the size of headers. */
const longestHeader = 4_096;

/** The header for a hint; empty if there is none or it is too long. */
export function hintHeaders(hint: string | undefined): Readonly<Record<string, string>> {
  if (hint === undefined) return {};
  const value = encodeURIComponent(hint.toWellFormed());
  return value.length > longestHeader ? {} : { [hintHeader]: value };
}

/** The hint in a header; undefined if there is none or it cannot be decoded. */
export function hintOf(value: string | null | undefined): string | undefined {
  // Another program's header of the same name may be no such encoding: the error is shown without a hint.
  return value === null || value === undefined ? undefined : percentDecoded(value);
}
