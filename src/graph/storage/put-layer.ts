import type { Ground } from "../../ground.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import { layerOrigins } from "../record.ts";
import { countIn, degreesOf, raiseDegrees } from "./counts.ts";
import type { LayerDraft, Put } from "./draft.ts";
import { enrichEdges, enrichNodes } from "./enrich.ts";
import { linkRows } from "./links.ts";
import { mergeNodes } from "./merge-nodes.ts";
import { insertNames } from "./name-index.ts";
import { type DraftedEdge, draftedEdges, groupNodes, type NodeGroup } from "./same-things.ts";

/*
 * Every layer that is found comes in through here, in the transaction of what it was found in. An observation pays
 * for it while its sender waits, so what the graph knows already costs six statements over lists, however many
 * nodes and edges there are; rows are inserted only for what is new.
 */

type Making = Pick<Ground, "now" | "newId">;

/** Puts what was found into the graph: known nodes and edges keep their ids and gain sources, names and weight. */
export async function putLayer(sql: Sql, ground: Making, draft: LayerDraft): Promise<Put> {
  const last = await lastKeys(sql);
  const known = await groupNodes(sql, draft);
  const fresh: NodeGroup[] = [];
  for (const group of known.groups) {
    const [first, ...others] = group.stored;
    if (first === undefined) {
      fresh.push(group);
      group.key = last.node + fresh.length;
    } else group.key = first;
    for (const other of others) await mergeNodes(sql, group.key, other);
  }
  const edges = draftedEdges(draft, known.groupOf);
  const storedEdges = await findEdges(sql, edges);
  const newEdges = edges.filter((edge) => !storedEdges.has(edge.identity));
  newEdges.forEach((edge, at) => {
    edge.key = last.edge + 1 + at;
  });
  for (const edge of edges) edge.key = storedEdges.get(edge.identity) ?? edge.key;
  const degrees = degreesOf(newEdges);
  if (fresh.length > 0) await insertNodes(sql, ground, draft, fresh, degrees);
  if (newEdges.length > 0) await insertEdges(sql, ground, draft, newEdges);
  await countIn(sql, draft, fresh, newEdges);
  const foundNodes = known.groups.filter((group) => !fresh.includes(group));
  const foundEdges = edges.filter((edge) => storedEdges.has(edge.identity));
  await raiseDegrees(
    sql,
    foundNodes.map(({ key }) => [key, degrees.get(key) ?? 0]),
  );
  const outranked = layerOrigins.slice(0, layerOrigins.indexOf(draft.origin));
  const changed = await linkRows(sql, ground.now(), draft, {
    newNodes: keysOf(fresh),
    newEdges: keysOf(newEdges),
    nodes: keysOf(foundNodes),
    edges: keysOf(foundEdges),
    outranked,
  });
  // Rows say nothing of a thing but its name.
  const told = draft.origin !== "structural";
  const enrichedNodes = await enrichNodes(sql, ground.now(), draft, told ? foundNodes : []);
  const enrichedEdges = await enrichEdges(sql, ground.now(), draft, told ? foundEdges : []);
  const isUpdated = (all: ReadonlySet<number>, more: ReadonlySet<number>) => (row: { key: number }) =>
    all.has(row.key) || more.has(row.key);
  return {
    nodesAdded: fresh.length,
    edgesAdded: newEdges.length,
    nodesUpdated: foundNodes.filter(isUpdated(changed.nodes, enrichedNodes)).length,
    edgesUpdated: foundEdges.filter(isUpdated(changed.edges, enrichedEdges)).length,
  };
}

function keysOf(rows: readonly { readonly key: number }[]): number[] {
  return rows.map(({ key }) => key);
}

export async function lastKeys(sql: Sql): Promise<{ node: number; edge: number }> {
  const row = await firstRow<{ node: number; edge: number }>(
    sql,
    `SELECT (SELECT coalesce(max(key), 0) FROM graph_nodes) AS node,
       (SELECT coalesce(max(key), 0) FROM graph_edges) AS edge`,
  );
  return row ?? { node: 0, edge: 0 };
}

async function insertNodes(
  sql: Sql,
  { now, newId }: Making,
  draft: LayerDraft,
  groups: readonly NodeGroup[],
  degrees: ReadonlyMap<number, number>,
): Promise<void> {
  const rows = groups.map(({ key, type, names, properties }) => [
    key,
    newId("graphNode"),
    type,
    names[0] ?? "",
    JSON.stringify(names.slice(1)),
    JSON.stringify(properties),
    degrees.get(key) ?? 0,
  ]);
  await sql.run(
    `INSERT OR FAIL INTO graph_nodes (key, id, project_key, project, type, name, aliases, properties, origin, stale,
       degree, source_count, created_at, updated_at)
     SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), ?2, ?3, json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'), ?4, 0,
       json_extract(value, '$[6]'), ?6, ?5, ?5
     FROM json_each(?1)`,
    [JSON.stringify(rows), draft.projectKey ?? "", draft.project, draft.origin, now(), draft.sources.length],
  );
  await insertNames(
    sql,
    draft.projectKey,
    groups.flatMap(({ key, type, names }) => names.map((name) => ({ node: key, type, name }))),
  );
}

/** Keys of the edges that are stored, by identity. */
export async function findEdges(
  sql: Sql,
  edges: readonly Pick<DraftedEdge, "identity" | "source" | "target" | "type">[],
): Promise<Map<string, number>> {
  if (edges.length === 0) return new Map();
  const rows = await sql.values(
    `SELECT j.key, e.key FROM json_each(?) AS j CROSS JOIN graph_edges AS e
     WHERE e.source = json_extract(j.value, '$[0]') AND e.target = json_extract(j.value, '$[1]')
       AND e.type = json_extract(j.value, '$[2]')`,
    [JSON.stringify(edges.map(({ source, target, type }) => [source, target, type]))],
  );
  return new Map(rows.map(([at, key]) => [edges[Number(at)]?.identity ?? "", Number(key)]));
}

async function insertEdges(
  sql: Sql,
  { now, newId }: Making,
  draft: LayerDraft,
  edges: readonly DraftedEdge[],
): Promise<void> {
  const rows = edges.map(({ key, source, target, type, weight, properties }) => [
    key,
    newId("graphEdge"),
    source,
    target,
    type,
    weight ?? null,
    properties === undefined ? null : JSON.stringify(properties),
  ]);
  await sql.run(
    `INSERT OR FAIL INTO graph_edges (key, id, source, target, type, given_weight, structural, properties, origin,
       stale, source_count, created_at, updated_at)
     SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'), ?2,
       json_extract(value, '$[6]'), ?3, 0, ?5, ?4, ?4
     FROM json_each(?1)`,
    [JSON.stringify(rows), draft.origin === "structural" ? 1 : 0, draft.origin, now(), draft.sources.length],
  );
}
