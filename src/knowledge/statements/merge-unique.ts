const most = 200;

/** Whether any list has a new member. */
export function addsNew(
  lists: readonly (readonly [known: readonly string[], found: readonly string[] | undefined])[],
): boolean {
  return lists.some(([known, found = []]) => found.some((one) => !known.includes(one)));
}

/** The members of both lists, each once, known ones first; at most 200. */
export function mergeUnique(known: readonly string[] = [], added: readonly string[] = []): string[] {
  return [...new Set([...known, ...added])].slice(0, most);
}
