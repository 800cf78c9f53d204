/* What FTS5 is asked. Words hold no quotation mark, so quoting them is all that its syntax asks. */

export function quoted(word: string): string {
  return `"${word}"`;
}

export function anyOf(words: readonly string[]): string {
  return `(${words.map(quoted).join(" OR ")})`;
}

/** All of the matches, inside the groups of a scope: see `scopeGroups`. */
export function within(matches: readonly string[], groups: readonly (readonly string[])[]): string {
  return [...matches, ...groups.map(anyOf)].join(" AND ");
}
