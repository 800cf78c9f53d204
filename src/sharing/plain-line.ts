/** The text on one line, without control characters. */
export function plainLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
