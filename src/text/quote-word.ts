/** Quotes a word for a shell if necessary. */
export function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/u.test(word)) return word;
  return process.platform === "win32" ? `"${word}"` : `"${word.replaceAll(/["\\$`]/gu, "\\$&")}"`;
}
