import * as z from "zod";
import { defineOperation } from "../operation/define.ts";
import {
  clamped,
  dryRunInput,
  dryRunOutput,
  Id,
  limit,
  Offset,
  ProjectName,
  scopeFields,
  str,
} from "../operation/fields.ts";
import { Cascaded, GraphStats, QueryAnswer, RebuiltSnapshot } from "./answers.ts";
import { graphImportOperations } from "./imported/operations.ts";
import { graphModelOperations } from "./model/operations.ts";
import { mostSources, NodeType } from "./record.ts";

const maxDepth = clamped(0, 8).prefault(2);

export const queryGraph = defineOperation({
  id: "graph.query",
  functionId: "graph.query",
  summary: "Show the knowledge graph: around a node, by name, or by type",
  description:
    "A start node takes precedence over a query, a query over a type; without any of them, the busiest nodes are shown.",
  http: { method: "POST", path: "/graph/query", success: 200 },
  cli: {
    command: "graph query [query]",
    examples: [
      "memsvc graph query session.ts",
      "memsvc graph query --start-node-id gnd_01 --max-depth 1",
      "memsvc graph query --node-type error --project shop --limit 20",
    ],
  },
  mcp: {
    tool: "memory_graph_query",
    effects: "read",
    title: "Knowledge graph",
    description:
      "Show the graph of files, functions, concepts, errors and decisions: around a node, by name, or by type. Use it to see what is connected to something before you change it. Each has its newest 3 sources, or maxSources.",
    arguments: {
      startNodeId: true,
      nodeType: true,
      query: true,
      maxDepth: true,
      limit: {
        default: 20,
        description:
          "maximum number of nodes; if truncated, ask for more, or filter by query, type or project",
      },
      project: true,
      offset: { unlisted: true },
      maxSources: { default: 3, unlisted: true },
    },
  },
  input: z.object({
    startNodeId: Id.optional().describe("node to start from"),
    nodeType: NodeType.optional().describe("only nodes of this type"),
    query: str(500).optional().describe("text in the name or an alias of a node"),
    maxDepth: maxDepth.describe("steps from the start node, at most 8"),
    limit: limit(500, 5_000).describe("maximum number of nodes"),
    offset: Offset.describe("nodes to skip"),
    maxSources: clamped(0, mostSources)
      .prefault(mostSources)
      .describe("maximum number of source ids for each node and edge, newest first"),
    project: ProjectName.optional().describe("only nodes of this project"),
    ...scopeFields,
  }),
  output: QueryAnswer,
  features: ["GRAPH_EXTRACTION_ENABLED"],
  errors: ["invalid_input", "not_found", "feature_off"],
  run: (core, input) => core.graph.query(input),
});

export const graphStats = defineOperation({
  id: "graph.stats",
  functionId: "graph.stats",
  summary: "Count the nodes and edges of the knowledge graph",
  http: { method: "GET", path: "/graph/stats", success: 200 },
  cli: { command: "graph stats", examples: ["memsvc graph stats", "memsvc graph stats --project shop"] },
  input: z.object({
    project: ProjectName.optional().describe("only this project"),
    ...scopeFields,
  }),
  output: GraphStats,
  errors: ["invalid_input"],
  run: (core, input) => core.graph.stats(input),
});

export const rebuildSnapshot = defineOperation({
  id: "graph.snapshotRebuild",
  functionId: "graph.snapshot",
  summary: "Rebuild the snapshot of the busiest nodes",
  http: { method: "POST", path: "/graph/snapshot-rebuild", success: 200 },
  cli: {
    command: "graph snapshot-rebuild",
    examples: ["memsvc graph snapshot-rebuild", "memsvc graph snapshot-rebuild --json"],
  },
  input: z.object({}),
  output: RebuiltSnapshot,
  errors: [],
  run: (core, _input, caller) => core.graph.rebuildSnapshot(caller),
});

export const resetGraph = defineOperation({
  id: "graph.reset",
  functionId: "graph.reset",
  summary: "Empty the knowledge graph; observations and memories stay",
  http: { method: "POST", path: "/graph/reset", success: 200 },
  cli: {
    command: "graph reset",
    examples: [
      "memsvc graph reset",
      "memsvc graph reset --dry-run",
      "memsvc graph reset --rebuild-structural",
    ],
    asksFirst: true,
  },
  deletes: true,
  input: z.object({
    rebuildStructural: z
      .boolean()
      .default(false)
      .describe("rebuild by rules, from the stored observations and memories"),
    ...dryRunInput,
  }),
  output: z.object({
    cleared: z
      .object({
        nodes: z.number().int().describe("nodes that were deleted"),
        edges: z.number().int().describe("edges that were deleted"),
        links: z.number().int().describe("links to observations and memories that were deleted"),
      })
      .describe("what was deleted"),
    tookMs: z.number().int().describe("how long it took, in milliseconds"),
    rebuildQueued: z.boolean().describe("whether the graph is being rebuilt"),
    ...dryRunOutput,
  }),
  errors: ["invalid_input"],
  run: (core, input, caller) => core.graph.reset(input, caller),
});

export const cascadeUpdate = defineOperation({
  id: "graph.cascadeUpdate",
  functionId: "memory.cascade",
  summary: "Mark as stale what models derived only from the sources of a superseded memory",
  description: "Runs automatically whenever a memory is superseded; running it again finds nothing more.",
  http: { method: "POST", path: "/cascade-update", success: 200 },
  cli: {
    command: "graph cascade-update <supersededMemoryId>",
    examples: ["memsvc graph cascade-update mem_01", "memsvc graph cascade-update mem_01 --json"],
  },
  input: z.object({
    supersededMemoryId: Id.describe("memory that a newer version replaced"),
    ...scopeFields,
  }),
  output: Cascaded,
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input) => core.cascadeUpdate(input),
});

export const graphOperations = [
  queryGraph,
  graphStats,
  ...graphModelOperations,
  rebuildSnapshot,
  resetGraph,
  ...graphImportOperations,
  cascadeUpdate,
];
