const most = 200;

/** The members of both lists, each once, those known first; at most 200. */
export function united(known: readonly string[] = [], added: readonly string[] = []): string[] {
  return [...new Set([...known, ...added])].slice(0, most);
}
