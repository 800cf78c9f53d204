import { lowerCase } from "../../text/lower-case.ts";

/**
 * The key by which equal statements are recognised: a hash (128 bits, hex) of the text in Unicode NFC,
 * without case and surrounding blanks.
 */
export function statementKey(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256")
    .update(lowerCase(text.normalize("NFC").trim()))
    .digest("hex")
    .slice(0, 32);
}
