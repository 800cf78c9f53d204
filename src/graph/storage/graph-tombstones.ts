import type { Sql } from "../../store/sql.ts";

/** Condition: the edge is sent to other stores. Edges by rules are not, because those stores make them themselves. */
export const isSharedEdge = (edge: string) =>
  `(${edge}.origin <> 'structural' OR ${edge}.given_weight IS NOT NULL)`;

/** Condition: the node is sent to other stores, because it or one of its edges was not made by rules alone. */
export const isSharedNode = (
  node: string,
) => `(${node}.origin <> 'structural' OR EXISTS (SELECT 1 FROM graph_edges AS e
  WHERE (e.source = ${node}.key OR e.target = ${node}.key) AND ${isSharedEdge("e")}))`;

/** Keys of nodes and edges. */
export interface GraphThings {
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
}

/**
 * Writes tombstones for nodes and edges that are about to be deleted, and for the nodes' edges, as far as they are sent
 * to other stores.
 */
export async function writeGraphTombstones(
  sql: Sql,
  { nodes, edges }: GraphThings,
  now: number,
): Promise<void> {
  const amongNodes = "IN (SELECT value FROM json_each(?1))";
  if (nodes.length + edges.length === 0) return;
  await sql.run(
    `INSERT INTO tombstones (kind, id, deleted_at, project_key)
     SELECT 'graphEdge', r.id, max(?3, r.updated_at),
       (SELECT nullif(project_key, '') FROM graph_nodes WHERE key = r.source)
     FROM graph_edges AS r
     WHERE (r.key IN (SELECT value FROM json_each(?2)) OR r.source ${amongNodes} OR r.target ${amongNodes})
       AND ${isSharedEdge("r")}
     ${onceMore}`,
    [JSON.stringify(nodes), JSON.stringify(edges), now],
  );
  if (nodes.length === 0) return;
  await sql.run(
    `INSERT INTO tombstones (kind, id, deleted_at, project_key)
     SELECT 'graphNode', r.id, max(?2, r.updated_at), nullif(r.project_key, '')
     FROM graph_nodes AS r WHERE r.key ${amongNodes} AND ${isSharedNode("r")}
     ${onceMore}`,
    [JSON.stringify(nodes), now],
  );
}

const onceMore =
  "ON CONFLICT (kind, id) DO UPDATE SET deleted_at = excluded.deleted_at, project_key = excluded.project_key";
