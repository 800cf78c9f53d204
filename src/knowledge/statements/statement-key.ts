import { sha256 } from "../../system/sha256.ts";
import { lowerCase } from "../../text/lower-case.ts";

/**
 * The key by which equal statements are recognised: a hash (128 bits, hex) of the text in Unicode NFC,
 * without case and surrounding blanks.
 */
export function statementKey(text: string): string {
  return sha256(lowerCase(text.normalize("NFC").trim())).slice(0, 32);
}
