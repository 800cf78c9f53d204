import { lowerCase } from "../../text/lower-case.ts";

/**
 * The key by which equal statements are recognised: a hash (128 bits, hex) of the text in Unicode NFC,
 * without case and surrounding blanks.
 */
export function statementKey(text: string): string {
  const stated = lowerCase(text.normalize("NFC").trim());
  return process.getBuiltinModule("node:crypto").hash("sha256", stated).slice(0, 32);
}
