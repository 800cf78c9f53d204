/** The scopes that peers may exchange, in the order in which they are shown. */
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

/** The arrays of an exchange, in the order in which they are sent. */
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
