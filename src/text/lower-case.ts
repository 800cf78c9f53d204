import { onlyAscii } from "./scripts.ts";

/**
 * A text in lower case with composed accents (NFC). The lower case of `İ` is `i` with a combining dot, which is
 * removed.
 */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return onlyAscii.test(lower) ? lower : lower.normalize("NFC").replaceAll("i\u0307", "i");
}
