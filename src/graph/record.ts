import * as z from "zod";
import { TimeText } from "../operation/fields.ts";

export const nodeTypes = [
  "file",
  "function",
  "concept",
  "error",
  "decision",
  "pattern",
  "library",
  "person",
  "project",
  "preference",
  "location",
  "organization",
  "event",
] as const;
export const NodeType = z.enum(nodeTypes);
export type NodeType = z.infer<typeof NodeType>;

export const edgeTypes = [
  "uses",
  "imports",
  "modifies",
  "causes",
  "fixes",
  "depends_on",
  "related_to",
  "works_at",
  "prefers",
  "blocked_by",
  "caused_by",
  "optimizes_for",
  "rejected",
  "avoids",
  "located_in",
  "succeeded_by",
] as const;
export const EdgeType = z.enum(edgeTypes);
export type EdgeType = z.infer<typeof EdgeType>;

/** What made a node or an edge, the most reliable last: one that was made by two is given the later origin. */
const layerOrigins = ["llm", "structural", "mesh", "import"] as const;
export const LayerOrigin = z.enum(layerOrigins);
export type LayerOrigin = z.infer<typeof LayerOrigin>;

/** The most reliable origin among the rows. */
export function surestOrigin(rows: readonly { readonly origin: LayerOrigin }[]): LayerOrigin {
  return layerOrigins[Math.max(...rows.map(({ origin }) => layerOrigins.indexOf(origin)))] ?? "import";
}

/** The origins that are less reliable than this one. */
export function outrankedBy(origin: LayerOrigin): readonly LayerOrigin[] {
  return layerOrigins.slice(0, layerOrigins.indexOf(origin));
}

/** An answer gives the ids of at most this many sources of a node or an edge. */
export const mostSources = 50;

const sourceFields = {
  sourceObservationIds: z
    .array(z.string())
    .describe(`observations and memories that it was found in, the newest ${mostSources}`),
  sourceCount: z.number().int().describe("how many observations and memories it was found in"),
  origin: LayerOrigin.describe("by rules, by a model, from a file, or from another store"),
  stale: z.boolean().optional().describe("true once all its sources were superseded"),
  createdAt: TimeText.describe("when it was first found"),
  updatedAt: TimeText.describe("when it was last found"),
};

export const GraphNode = z
  .object({
    id: z.string().describe("id of the node"),
    type: NodeType.describe("what kind of thing it is"),
    name: z.string().describe("what it is called"),
    project: z.string().optional().describe("project that it belongs to"),
    properties: z.record(z.string(), z.unknown()).describe("further properties"),
    aliases: z.array(z.string()).describe("other names of the same thing"),
    degree: z.number().int().describe("how many edges it has"),
    ...sourceFields,
  })
  .meta({ id: "GraphNode" });
export type GraphNode = z.infer<typeof GraphNode>;

export const GraphEdge = z
  .object({
    id: z.string().describe("id of the edge"),
    type: EdgeType.describe("how the two hang together"),
    sourceNodeId: z.string().describe("source node"),
    targetNodeId: z.string().describe("target node"),
    weight: z.number().describe("confidence, above 0 and at most 1"),
    properties: z.record(z.string(), z.unknown()).optional().describe("further properties"),
    ...sourceFields,
  })
  .meta({ id: "GraphEdge" });
export type GraphEdge = z.infer<typeof GraphEdge>;
