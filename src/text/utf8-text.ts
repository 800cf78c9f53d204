import { type ErrorCode, MemsvcError } from "../operation/errors.ts";

interface Refusal {
  readonly code?: ErrorCode;
  readonly hint?: string;
}

/**
 * The text of bytes in UTF-8, with a byte order mark if it has one. Error: invalid_input, or another code, if they are
 * not UTF-8.
 */
export function utf8Text(
  bytes: Uint8Array,
  named: string,
  { code = "invalid_input", ...refusal }: Refusal = {},
): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new MemsvcError(code, `${named} is not UTF-8 text`, { ...refusal, cause: error });
  }
}
