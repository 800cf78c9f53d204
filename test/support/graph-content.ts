interface Node {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly project?: string;
  readonly sourceObservationIds: string[];
}

interface Edge {
  readonly type: string;
  readonly sourceNodeId: string;
  readonly targetNodeId: string;
  readonly sourceObservationIds: string[];
}

/**
 * The nodes and edges of an export with their sources, by name instead of id. By name, because a project that was first
 * known by its name and then by its path has its nodes twice, while an import, which knows both at once, makes them
 * once.
 */
export function graphContent(exported: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const { graphNodes: nodes, graphEdges: edges } = exported as unknown as {
    readonly graphNodes: readonly Node[];
    readonly graphEdges: readonly Edge[];
  };
  const found = new Map<string, Set<string>>();
  const add = (name: string, refs: readonly string[]) => {
    const known = found.get(name) ?? new Set();
    for (const ref of refs) known.add(ref);
    found.set(name, known);
  };
  const names = new Map<string, string>();
  for (const { id, type, name, project, sourceObservationIds } of nodes) {
    names.set(id, `${project?.split("/").at(-1)} ${type} ${type === "file" ? name : name.toLowerCase()}`);
    add(names.get(id) ?? "", sourceObservationIds);
  }
  for (const { type, sourceNodeId, targetNodeId, sourceObservationIds } of edges) {
    const ends = [names.get(sourceNodeId), names.get(targetNodeId)];
    if (type === "related_to") ends.sort();
    add(`${ends.join(" -> ")} ${type}`, sourceObservationIds);
  }
  return Object.fromEntries([...found].sort().map(([name, refs]) => [name, [...refs].sort()]));
}
