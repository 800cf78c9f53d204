import * as z from "zod";
import { TimeText } from "../operation/fields.ts";
import { GraphEdge, GraphNode } from "./record.ts";

export const QueryAnswer = z.object({
  nodes: z.array(GraphNode).describe("nodes of this page"),
  edges: z.array(GraphEdge).describe("edges between nodes of this page, strongest first"),
  depth: z.number().int().describe("steps that were taken"),
  totalNodes: z.number().int().describe("nodes that match"),
  totalEdges: z.number().int().describe("edges between nodes that match"),
  truncated: z.boolean().describe("whether more nodes match or are within reach than are returned"),
  limit: z.number().int().describe("maximum number of nodes, as applied"),
  offset: z.number().int().describe("nodes skipped, as applied"),
  fromSnapshot: z.literal(true).optional().describe("the nodes are those of the last snapshot"),
});
export type QueryAnswer = z.infer<typeof QueryAnswer>;

const counts = z.record(z.string(), z.number().int());

export const GraphStats = z.object({
  nodes: z.number().int().describe("nodes of all layers"),
  edges: z.number().int().describe("edges of all layers"),
  totalNodes: z.number().int().describe("the same as nodes"),
  totalEdges: z.number().int().describe("the same as edges"),
  nodesByType: counts.describe("nodes by their type"),
  edgesByType: counts.describe("edges by their type"),
  nodesByOrigin: counts.describe("nodes by who made them"),
  staleNodes: z.number().int().describe("nodes that only superseded memories support"),
  staleEdges: z.number().int().describe("edges that only superseded memories support"),
  // The snapshot counts the nodes of all agents, so only callers who may see all of them get it.
  snapshot: z
    .object({
      updatedAt: TimeText.describe("when it was taken"),
      nodes: z.number().int().describe("nodes in it"),
      edges: z.number().int().describe("edges in it"),
    })
    .nullable()
    .describe("the snapshot of the busiest nodes; null when there is none"),
  updatedAt: TimeText.describe("when this was counted"),
});
export type GraphStats = z.infer<typeof GraphStats>;

export const RebuiltSnapshot = z.object({
  totalNodes: z.number().int().describe("nodes of the graph"),
  totalEdges: z.number().int().describe("edges of the graph"),
  nodesByType: counts.describe("nodes by their type"),
  edgesByType: counts.describe("edges by their type"),
  topNodes: z.number().int().describe("nodes in the snapshot, at most 500"),
  topEdges: z.number().int().describe("edges in the snapshot, at most 5,000"),
  updatedAt: TimeText.describe("when it was taken"),
  tookMs: z.number().int().describe("how long it took, in milliseconds"),
});
export type RebuiltSnapshot = z.infer<typeof RebuiltSnapshot>;

export const ExtractAnswer = z.object({
  nodesAdded: z.number().int().describe("nodes that were new"),
  edgesAdded: z.number().int().describe("edges that were new"),
  nodesUpdated: z.number().int().describe("known nodes that were extended"),
  edgesUpdated: z.number().int().describe("known edges that were extended"),
  batches: z.number().int().describe("how often the model was asked"),
  failedBatches: z.number().int().describe("how often it gave no usable answer"),
  notFound: z.array(z.string()).optional().describe("ids that are not known"),
  warning: z.string().optional().describe("what was left out"),
});
export type ExtractAnswer = z.infer<typeof ExtractAnswer>;

export const BuildAnswer = z.object({
  sessions: z.number().int().describe("sessions that had something to read"),
  batches: z.number().int().describe("how often the model was asked"),
  failedBatches: z.number().int().describe("how often it gave no usable answer"),
  nodes: z.number().int().describe("nodes that were new"),
  edges: z.number().int().describe("edges that were new"),
  observations: z.number().int().describe("observations that were read"),
});
export type BuildAnswer = z.infer<typeof BuildAnswer>;

export const ImportAnswer = z.object({
  path: z.string().describe("file that was read"),
  nodesRead: z.number().int().describe("nodes in the file"),
  edgesRead: z.number().int().describe("edges in the file"),
  nodesImported: z.number().int().describe("nodes that were taken"),
  edgesImported: z.number().int().describe("edges that were taken"),
  newNodes: z.number().int().describe("nodes that the graph did not have"),
  newEdges: z.number().int().describe("edges that the graph did not have"),
  skippedEdges: z.number().int().describe("edges whose ends the file does not name"),
  truncated: z
    .object({
      nodes: z.number().int().optional().describe("nodes beyond the first 5,000"),
      edges: z.number().int().optional().describe("edges beyond the first 20,000"),
    })
    .nullable()
    .describe("what was left out; null when nothing was"),
});
export type ImportAnswer = z.infer<typeof ImportAnswer>;

const flaggedIds = z.array(z.string());

export const Cascaded = z.object({
  flagged: z
    .object({
      nodes: z.number().int().describe("nodes that became stale"),
      edges: z.number().int().describe("edges that became stale"),
      siblingMemories: z.number().int().describe("memories about the same, which stay as they are"),
    })
    .describe("how much was found"),
  total: z.number().int().describe("all of these"),
  ids: z
    .object({
      nodes: flaggedIds.describe("ids of the nodes, at most 200"),
      edges: flaggedIds.describe("ids of the edges, at most 200"),
      memories: flaggedIds.describe("ids of the memories, at most 200"),
    })
    .describe("what was found"),
});
export type Cascaded = z.infer<typeof Cascaded>;
