import { firstKeys, firstRow, type Sql } from "../../store/sql.ts";
import { detachSources } from "../storage/detach.ts";
import type { LayerDraft } from "../storage/draft.ts";
import { draftedEdges, groupNodes } from "../storage/group-nodes.ts";
import { deletePending } from "../storage/pending-rows.ts";
import { type ClockAndIds, findEdges } from "../storage/put-layer.ts";
import { type AttachedRow, attachRows } from "./attach.ts";
import { structuralLayer } from "./extract.ts";

/*
 * When the text of a row is replaced, what rules found in the old text gives way to what they find in the new one. What
 * a model found in it stays, and so does the mark that a model read it. Links do not say who made them, so in a row
 * that a model has read, these count as made by rules: edges without a given weight, since models always give one; and
 * nodes named in the old text that have no aliases and properties, and at which the row has no edge made by a model.
 */

/** Replaces the structural layer of a row; `before` and `after` are the row with its old and its new text. */
export async function renewRow(
  sql: Sql,
  ground: ClockAndIds,
  before: AttachedRow,
  after: AttachedRow,
): Promise<void> {
  const { kind, ref } = after;
  await deletePending(sql, kind, [ref]);
  const old = await storedThings(sql, before);
  await sql.run("UPDATE graph_sources SET structural = 0 WHERE kind = ? AND ref = ?", [kind, ref]);
  await attachRows(sql, ground, [after]);
  const source = await firstRow<{ key: number; extracted: number }>(
    sql,
    "SELECT key, extracted FROM graph_sources WHERE kind = ? AND ref = ?",
    [kind, ref],
  );
  if (source === undefined) return;
  const { key, extracted } = source;
  const found = await storedThings(sql, after);
  const edges = await firstKeys(sql, edgesToLeave, [key, extracted, JSON.stringify(found.edges)]);
  const nodes = await firstKeys(sql, nodesToLeave, [
    key,
    extracted,
    JSON.stringify(found.nodes),
    JSON.stringify(old.nodes),
    JSON.stringify(edges),
  ]);
  await detachSources(sql, [key], ground.now(), { nodes, edges });
}

/** Keys of the stored nodes and edges among those that rules find in a row. */
async function storedThings(sql: Sql, row: AttachedRow): Promise<{ nodes: number[]; edges: number[] }> {
  const { project, projectKey } = row;
  const { nodes, edges } = structuralLayer(row);
  const layer: LayerDraft = {
    origin: "structural",
    project,
    projectKey,
    nodes,
    edges,
    sources: [],
    fresh: false,
  };
  const { groups, groupOf } = await groupNodes(sql, [layer]);
  for (const group of groups) group.key = group.stored[0] ?? 0;
  const stored = await findEdges(sql, draftedEdges([layer], groupOf));
  return { nodes: groups.flatMap((group) => group.stored), edges: [...stored.values()] };
}

const edgesToLeave = `SELECT e.key FROM graph_edge_links AS l CROSS JOIN graph_edges AS e ON e.key = l.edge
  WHERE l.source = ?1 AND (?2 = 0 OR e.given_weight IS NULL)
    AND e.key NOT IN (SELECT value FROM json_each(?3))`;
const nodesToLeave = `SELECT n.key FROM graph_node_links AS l CROSS JOIN graph_nodes AS n ON n.key = l.node
  WHERE l.source = ?1 AND n.key NOT IN (SELECT value FROM json_each(?3))
    AND (?2 = 0 OR (n.key IN (SELECT value FROM json_each(?4)) AND n.properties = '{}' AND n.aliases = '[]'
      AND NOT EXISTS (SELECT 1 FROM graph_edge_links AS k CROSS JOIN graph_edges AS e ON e.key = k.edge
        WHERE k.source = l.source AND n.key IN (e.source, e.target)
          AND e.key NOT IN (SELECT value FROM json_each(?5)))))`;
