/* Builds FTS5 match expressions. Index tokens contain no quotation marks, so they need no escaping inside quotes. */

export function quoted(word: string): string {
  return `"${word}"`;
}

export function anyOf(words: readonly string[]): string {
  return `(${words.map(quoted).join(" OR ")})`;
}

/** All of the given matches, and any word of each group of a scope (see `scopeGroups`). */
export function within(matches: readonly string[], groups: readonly (readonly string[])[]): string {
  return [...matches, ...groups.map(anyOf)].join(" AND ");
}
