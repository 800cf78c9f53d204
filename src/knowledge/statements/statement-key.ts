import { lowerCase } from "../../text/lower-case.ts";

/** By which a statement is known again: its text, however composed, without case and outer blanks, hashed (128 bits, hex). */
export function statementKey(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256")
    .update(lowerCase(text.normalize("NFC").trim()))
    .digest("hex")
    .slice(0, 32);
}
