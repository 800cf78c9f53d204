/** What peers may exchange, in the order of the interface. */
export const meshScopes = [
  "memories",
  "actions",
  "semantic",
  "procedural",
  "relations",
  "graph:nodes",
  "graph:edges",
] as const;

export type MeshScope = (typeof meshScopes)[number];
