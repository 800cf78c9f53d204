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

/** The arrays of what is sent, in the order in which they come. */
export const meshArrays = [
  "memories",
  "actions",
  "actionEdges",
  "semantic",
  "procedural",
  "relations",
  "graphNodes",
  "graphEdges",
  "tombstones",
] as const;
export type MeshArray = (typeof meshArrays)[number];
