/**
 * The source of a pattern for a word that means itself to a shell: without variables, patterns and escapes. No path of
 * another machine.
 */
export const plainWord = String.raw`(?!["']?//)(?:"(?<double>[^"$\\\x60]+)"|'(?<single>[^'\\]+)'|(?<bare>[^\s"'$\\\x60*?~()<>&-][^\s"'$\\\x60*?()<>&]*))`;

/** What the word says that was found. */
export function foundWord(found: RegExpMatchArray | null): string | undefined {
  const { double, single, bare } = found?.groups ?? {};
  return double ?? single ?? bare;
}
