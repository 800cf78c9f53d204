/** A word as a shell reads it. */
export function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/u.test(word)) return word;
  return process.platform === "win32" ? `"${word}"` : `"${word.replaceAll(/["\\$`]/gu, "\\$&")}"`;
}
