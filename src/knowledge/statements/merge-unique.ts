const most = 200;

/** Whether any list of sources has a new member, as far as `mergeSources` would keep it. */
export function addsNew(
  lists: readonly (readonly [known: readonly string[], found: readonly string[] | undefined])[],
): boolean {
  return lists.some(([known, found = []]) => found.slice(0, most).some((one) => !known.includes(one)));
}

/**
 * The members of both lists, each once, known ones first. Of more than 200, those that were not found again are left
 * out, the earliest first: else what is found later would count as new each time.
 */
export function mergeSources(known: readonly string[] = [], found: readonly string[] = []): string[] {
  const now = new Set(found.slice(0, most));
  const others = known.filter((one) => !now.has(one));
  const excess = new Set(others.slice(0, Math.max(0, others.length + now.size - most)));
  return [...new Set([...known, ...now])].filter((one) => !excess.has(one));
}

/** The members of both lists, each once, known ones first; at most 200. */
export function mergeUnique(known: readonly string[] = [], added: readonly string[] = []): string[] {
  return [...new Set([...known, ...added])].slice(0, most);
}
