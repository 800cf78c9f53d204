import { onlyAscii } from "./scripts.ts";

/**
 * A text in lower case, however its letters are composed: accents written apart join theirs, and the small letter of
 * `İ` is an `i` with a dot too many.
 */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return onlyAscii.test(lower) ? lower : lower.normalize("NFC").replaceAll("i\u0307", "i");
}
