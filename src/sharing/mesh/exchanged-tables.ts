import { actionEdgeCollection } from "../../coordination/actions/edge-transfer.ts";
import { actionCollection } from "../../coordination/actions/transfer.ts";
import type { Collection } from "../../governance/transfer/collection.ts";
import { isSharedEdge, isSharedNode } from "../../graph/storage/graph-tombstones.ts";
import { graphEdgeCollection } from "../../graph/transfer/edges.ts";
import { graphNodeCollection } from "../../graph/transfer/nodes.ts";
import { factCollection } from "../../knowledge/facts/transfer.ts";
import { relationCollection } from "../../knowledge/memories/relations/transfer.ts";
import { memoryCollection } from "../../knowledge/memories/transfer.ts";
import { procedureCollection } from "../../knowledge/procedures/transfer.ts";
import type { MeshArray, MeshScope } from "./scope-names.ts";

/** How peers exchange the rows of one table. */
export interface ExchangedTable {
  readonly scope: MeshScope;
  /** The member that holds the rows in the exchanged JSON. */
  readonly array: Exclude<MeshArray, "tombstones">;
  /** What reads and stores the rows, as for exports and imports. */
  readonly collection: Collection;
  /** The name of the rows in tombstones and arrivals. */
  readonly kind: string;
  readonly table: string;
  readonly changedAt: "updated_at" | "created_at";
  /** The column by which rows are ordered. */
  readonly orderedBy: "id" | "key";
  /** If set, a row that exists is never replaced, not even by a later version. */
  readonly onlyIfAbsent?: true;
  /** SQL condition that a row must meet to be exchanged at all. */
  readonly if?: string;
  /** SQL expression for the project key of a row. */
  readonly project: string;
  /**
   * SQL condition for a row to belong to a project, whose keys are ?2; by default that `project` is among the
   * keys.
   */
  readonly inProject?: string;
  /** SQL condition for sending a row although it has not changed since ?1. */
  readonly orSince?: string;
}

const keys = "(SELECT value FROM json_each(?2))";

/** The fields that most of the tables have in common. */
const usual = { changedAt: "updated_at", orderedBy: "id", project: "project_key" } as const;

/** The tables that are exchanged, in the order of storing: tables that others refer to come first. */
export const exchangedTables: readonly ExchangedTable[] = [
  {
    ...usual,
    scope: "memories",
    array: "memories",
    collection: memoryCollection,
    kind: "memory",
    table: "memories",
  },
  {
    ...usual,
    scope: "actions",
    array: "actions",
    collection: actionCollection,
    kind: "action",
    table: "actions",
    // The draft actions of a sketch are private until the sketch is promoted.
    if: "sketch_id IS NULL",
  },
  {
    scope: "actions",
    array: "actionEdges",
    collection: actionEdgeCollection,
    kind: "actionEdge",
    table: "action_edges",
    changedAt: "created_at",
    orderedBy: "id",
    if: "source_action_id NOT IN (SELECT id FROM actions WHERE sketch_id IS NOT NULL)",
    project: "(SELECT project_key FROM actions WHERE id = source_action_id)",
    // An action is sent together with what it waits for, so that the receiver knows whether another store
    // holds it up, and with what leads to it: while it was a draft, the receiver could not keep that.
    orSince: `EXISTS (SELECT 1 FROM actions AS a
      WHERE a.id IN (source_action_id, target_action_id) AND a.updated_at >= ?1)`,
  },
  {
    ...usual,
    scope: "semantic",
    array: "semantic",
    collection: factCollection,
    kind: "semantic",
    table: "semantic_memories",
  },
  {
    ...usual,
    scope: "procedural",
    array: "procedural",
    collection: procedureCollection,
    kind: "procedural",
    table: "procedural_memories",
  },
  {
    scope: "relations",
    array: "relations",
    collection: relationCollection,
    kind: "relation",
    table: "memory_relations",
    changedAt: "created_at",
    orderedBy: "id",
    onlyIfAbsent: true,
    project: "(SELECT project_key FROM memories WHERE id = source_id)",
    inProject: `source_id IN (SELECT id FROM memories WHERE project_key IN ${keys})
      AND target_id IN (SELECT id FROM memories WHERE project_key IN ${keys})`,
  },
  {
    scope: "graph:nodes",
    array: "graphNodes",
    collection: graphNodeCollection,
    kind: "graphNode",
    table: "graph_nodes",
    changedAt: "updated_at",
    orderedBy: "key",
    if: isSharedNode("r"),
    project: "nullif(r.project_key, '')",
    // A node is sent again when one of its edges changed: the receiver may know the node by another id.
    orSince: `EXISTS (SELECT 1 FROM graph_edges AS e
      WHERE (e.source = r.key OR e.target = r.key) AND ${isSharedEdge("e")} AND e.updated_at >= ?1)`,
  },
  {
    scope: "graph:edges",
    array: "graphEdges",
    collection: graphEdgeCollection,
    kind: "graphEdge",
    table: "graph_edges",
    changedAt: "updated_at",
    orderedBy: "key",
    if: isSharedEdge("r"),
    project: "(SELECT nullif(project_key, '') FROM graph_nodes WHERE key = r.source)",
  },
];

/** SQL condition for a row to belong to the project whose keys are ?2. */
export function inProject({
  inProject: own,
  project,
}: Pick<ExchangedTable, "inProject" | "project">): string {
  return own ?? `${project} IN ${keys}`;
}

/** The prefix for column names: the page queries of graph collections call their table `r`. */
export function aliasOf({ collection }: Pick<ExchangedTable, "collection">): string {
  return collection.name.startsWith("graph") ? "r." : "";
}
