import type { Collection } from "../../governance/transfer/collection.ts";
import { collections } from "../../governance/transfer/collections.ts";
import { isSharedEdge, isSharedNode } from "../../graph/storage/graph-tombstones.ts";
import type { MeshArray, MeshScope } from "./scope-names.ts";

/** Rows of one table as peers exchange them. */
export interface ExchangedTable {
  readonly scope: MeshScope;
  /** Their member in what is sent. */
  readonly array: Exclude<MeshArray, "tombstones">;
  /** Their collection in exports. */
  readonly collection: string;
  /** What tombstones and arrivals call them. */
  readonly kind: string;
  readonly table: string;
  readonly changedAt: "updated_at" | "created_at";
  /** The column in whose order they are given. */
  readonly orderedBy: "id" | "key";
  /** Whether a row that is known is left alone, however late the one that comes. */
  readonly onlyIfAbsent?: true;
  /** Condition of a row that is exchanged at all. */
  readonly if?: string;
  /** The key of a row's project. */
  readonly project: string;
  /** Condition of a row of a project, whose keys are ?2, where it says more than that the row's is one of them. */
  readonly inProject?: string;
  /** Condition of a row that is sent though it did not change since ?1. */
  readonly orSince?: string;
}

const keys = "(SELECT value FROM json_each(?2))";

/** What most of the tables have in common. */
const usual = { changedAt: "updated_at", orderedBy: "id", project: "project_key" } as const;

/** What is exchanged, what others refer to first. */
export const exchangedTables: readonly ExchangedTable[] = [
  {
    ...usual,
    scope: "memories",
    array: "memories",
    collection: "memories",
    kind: "memory",
    table: "memories",
  },
  {
    ...usual,
    scope: "actions",
    array: "actions",
    collection: "actions",
    kind: "action",
    table: "actions",
    // Drafts of a sketch are nobody else's business until it is promoted.
    if: "sketch_id IS NULL",
  },
  {
    scope: "actions",
    array: "actionEdges",
    collection: "actionEdges",
    kind: "actionEdge",
    table: "action_edges",
    changedAt: "created_at",
    orderedBy: "id",
    if: "source_action_id NOT IN (SELECT id FROM actions WHERE sketch_id IS NOT NULL)",
    project: "(SELECT project_key FROM actions WHERE id = source_action_id)",
    // What an action waits for comes with it: who receives it knows by that whether it is held up elsewhere.
    orSince: "source_action_id IN (SELECT id FROM actions WHERE updated_at >= ?1)",
  },
  {
    ...usual,
    scope: "semantic",
    array: "semantic",
    collection: "semanticMemories",
    kind: "semantic",
    table: "semantic_memories",
  },
  {
    ...usual,
    scope: "procedural",
    array: "procedural",
    collection: "proceduralMemories",
    kind: "procedural",
    table: "procedural_memories",
  },
  {
    scope: "relations",
    array: "relations",
    collection: "relations",
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
    collection: "graphNodes",
    kind: "graphNode",
    table: "graph_nodes",
    changedAt: "updated_at",
    orderedBy: "key",
    if: isSharedNode("r"),
    project: "nullif(r.project_key, '')",
    // Who receives an edge knows its ends by other ids, perhaps.
    orSince: `EXISTS (SELECT 1 FROM graph_edges AS e
      WHERE (e.source = r.key OR e.target = r.key) AND ${isSharedEdge("e")} AND e.updated_at >= ?1)`,
  },
  {
    scope: "graph:edges",
    array: "graphEdges",
    collection: "graphEdges",
    kind: "graphEdge",
    table: "graph_edges",
    changedAt: "updated_at",
    orderedBy: "key",
    if: isSharedEdge("r"),
    project: "(SELECT nullif(project_key, '') FROM graph_nodes WHERE key = r.source)",
  },
];

/** How its rows are read and stored. */
export function collectionOf({ collection }: Pick<ExchangedTable, "collection">): Collection {
  const own = collections.find(({ name }) => name === collection);
  if (own === undefined) throw new Error(`there is no collection ${collection}`);
  return own;
}

/** Condition of a row of the project whose keys are ?2. */
export function inProject({
  inProject: own,
  project,
}: Pick<ExchangedTable, "inProject" | "project">): string {
  return own ?? `${project} IN ${keys}`;
}

/** Collections whose pages call their table `r`. */
export function aliasOf({ collection }: Pick<ExchangedTable, "collection">): string {
  return collection.startsWith("graph") ? "r." : "";
}
