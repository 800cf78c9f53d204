/** The session that the user talked to, of a session or a sub-agent that another one may have started. */
export function rootOf(id: string, parents: ReadonlyMap<string, string | undefined>): string {
  const seen = new Set([id]);
  let root = id;
  for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) {
    // A parent may have been deleted; a cycle can only come from damage.
    if (seen.has(parent) || !parents.has(parent)) break;
    seen.add(parent);
    root = parent;
  }
  return root;
}
