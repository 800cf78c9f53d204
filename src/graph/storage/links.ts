import { firstRow, type Sql } from "../../store/sql.ts";
import type { LayerOrigin } from "../record.ts";
import type { LayerDraft } from "./draft.ts";

/*
 * Which observation or memory a node or an edge was found in: one row for each, so that no list grows. Counts go
 * with the rows.
 */

export interface NewSource {
  readonly kind: "observation" | "memory";
  readonly ref: string;
  readonly agentId: string | null;
}

type Mark = "structural" | "extracted";

/** The key of a source, made when it is new, and marked with the layer that is being made of it. */
export async function sourceKey(
  sql: Sql,
  source: NewSource,
  mark: Mark,
): Promise<{ key: number; fresh: boolean; marked: boolean }> {
  const row = await firstRow<{ last: number; key: number | null; structural: number; extracted: number }>(
    sql,
    `SELECT last, key, structural, extracted FROM (SELECT coalesce(max(key), 0) AS last FROM graph_sources)
     LEFT JOIN graph_sources ON ref = ? AND kind = ?`,
    [source.ref, source.kind],
  );
  if (row !== undefined && row.key !== null) {
    if (row[mark] === 0) await sql.run(markOf[mark], [row.key]);
    return { key: row.key, fresh: false, marked: row[mark] === 1 };
  }
  const key = (row?.last ?? 0) + 1;
  await sql.run(
    "INSERT INTO graph_sources (key, kind, ref, agent_id, structural, extracted) VALUES (?, ?, ?, ?, ?, ?)",
    [
      key,
      source.kind,
      source.ref,
      source.agentId,
      mark === "structural" ? 1 : 0,
      mark === "extracted" ? 1 : 0,
    ],
  );
  return { key, fresh: true, marked: false };
}

const markOf: Readonly<Record<Mark, string>> = {
  structural: "UPDATE graph_sources SET structural = 1 WHERE key = ?",
  extracted: "UPDATE graph_sources SET extracted = 1 WHERE key = ?",
};

interface Rows {
  /** Keys of rows that were made for this draft; they count its sources already. */
  readonly newNodes: readonly number[];
  readonly newEdges: readonly number[];
  /** Keys of rows that were there. */
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  /** Origins that this layer's takes the place of. */
  readonly outranked: readonly LayerOrigin[];
}

/** Links rows with the sources of a draft. Returns which of them gained one. */
export async function linkRows(
  sql: Sql,
  now: number,
  draft: LayerDraft,
  { newNodes, newEdges, nodes, edges, outranked }: Rows,
): Promise<{ nodes: Set<number>; edges: Set<number> }> {
  const gained = { nodes: new Set<number>(), edges: new Set<number>() };
  const lower = JSON.stringify(outranked);
  const structural = draft.origin === "structural" ? 1 : 0;
  for (const source of draft.sources) {
    const foundNodes = draft.fresh ? nodes : await unlinked(sql, missingNodes, nodes, source);
    const foundEdges = draft.fresh ? edges : await unlinked(sql, missingEdges, edges, source);
    for (const node of foundNodes) gained.nodes.add(node);
    for (const edge of foundEdges) gained.edges.add(edge);
    await link(sql, insertNodeLinks, [...foundNodes, ...newNodes], source);
    await link(sql, insertEdgeLinks, [...foundEdges, ...newEdges], source);
    if (foundNodes.length > 0)
      await sql.run(countNodeLinks, [JSON.stringify(foundNodes), now, lower, draft.origin]);
    if (foundEdges.length > 0)
      await sql.run(countEdgeLinks, [JSON.stringify(foundEdges), now, lower, draft.origin, structural]);
  }
  return gained;
}

async function link(sql: Sql, text: string, keys: readonly number[], source: number): Promise<void> {
  if (keys.length > 0) await sql.run(text, [JSON.stringify(keys), source]);
}

async function unlinked(sql: Sql, text: string, keys: readonly number[], source: number): Promise<number[]> {
  const rows = await sql.values(text, [JSON.stringify(keys), source]);
  return rows.map(([key]) => Number(key));
}

const missingNodes = `SELECT value FROM json_each(?1)
  WHERE NOT EXISTS (SELECT 1 FROM graph_node_links WHERE node = value AND source = ?2)`;
const missingEdges = `SELECT value FROM json_each(?1)
  WHERE NOT EXISTS (SELECT 1 FROM graph_edge_links WHERE edge = value AND source = ?2)`;

// OR FAIL: a statement that may take itself back makes FTS5 write what it has gathered, once for each.
const insertNodeLinks =
  "INSERT OR FAIL INTO graph_node_links (node, source) SELECT value, ?2 FROM json_each(?1)";
const insertEdgeLinks =
  "INSERT OR FAIL INTO graph_edge_links (edge, source) SELECT value, ?2 FROM json_each(?1)";
const origin = "CASE WHEN origin IN (SELECT value FROM json_each(?3)) THEN ?4 ELSE origin END";
const countNodeLinks = `UPDATE OR FAIL graph_nodes
  SET source_count = source_count + 1, updated_at = ?2, stale = 0, origin = ${origin}
  WHERE key IN (SELECT value FROM json_each(?1))`;
const countEdgeLinks = `UPDATE OR FAIL graph_edges
  SET source_count = source_count + 1, updated_at = ?2, stale = 0, origin = ${origin}, structural = max(structural, ?5)
  WHERE key IN (SELECT value FROM json_each(?1))`;
