import type { Ground } from "../../ground.ts";
import { chunksOf } from "../../store/chunks.ts";
import { firstRow, listedColumns, type Sql } from "../../store/sql.ts";
import { type LayerOrigin, outrankedBy } from "../record.ts";
import { countIn, degreesOf } from "./counts.ts";
import type { LayerDraft, Put } from "./draft.ts";
import { enrichEdges, enrichNodes } from "./enrich.ts";
import { type DraftedEdge, draftedEdges, groupNodes, type NodeGroup } from "./group-nodes.ts";
import { linkKnownRows, linkNewRows, sourceCount } from "./links.ts";
import { mergeNodes } from "./merge-nodes.ts";
import { insertNewNames } from "./name-index.ts";
import type { ThingKind } from "./thing-kind.ts";

/*
 * Every layer is put into the graph here. Other writers wait meanwhile, so all layers of a transaction are put in
 * together, with the same few statements over lists however many layers, nodes and edges there are; rows are inserted
 * only for what is new.
 */

/** Rows per statement; with more, one statement would block the event loop for too long. */
const rowsAtOnce = 250;

export type ClockAndIds = Pick<Ground, "now" | "newId">;

/** Puts one layer into the graph. */
export function putLayer(sql: Sql, ground: ClockAndIds, layer: LayerDraft): Promise<Put> {
  return putLayers(sql, ground, layer.origin, [layer]);
}

/**
 * Puts layers, all of the given origin, into the graph: stored nodes and edges keep their ids and gain sources, names
 * and weight.
 */
export async function putLayers(
  sql: Sql,
  ground: ClockAndIds,
  origin: LayerOrigin,
  layers: readonly LayerDraft[],
): Promise<Put> {
  const last = await lastKeys(sql);
  const { groups, groupOf } = await groupNodes(sql, layers);
  const fresh = groups.filter(({ stored }) => stored.length === 0);
  fresh.forEach((group, at) => {
    group.key = last.node + 1 + at;
  });
  const foundNodes = groups.filter(({ stored }) => stored.length > 0);
  for (const group of foundNodes) {
    const [first = 0, ...others] = group.stored;
    group.key = first;
    for (const other of others) await mergeNodes(sql, ground.now(), first, other);
  }
  const edges = draftedEdges(layers, groupOf);
  const storedEdges = await findEdges(sql, edges);
  const newEdges = edges.filter((edge) => !storedEdges.has(edge.identity));
  const foundEdges = edges.filter((edge) => storedEdges.has(edge.identity));
  newEdges.forEach((edge, at) => {
    edge.key = last.edge + 1 + at;
  });
  for (const edge of foundEdges) edge.key = storedEdges.get(edge.identity) ?? 0;
  const degrees = degreesOf(newEdges);
  if (fresh.length > 0) await insertNodes(sql, ground, origin, fresh, degrees);
  if (newEdges.length > 0) await insertEdges(sql, ground, origin, newEdges);
  await countIn(sql, { origin }, fresh, newEdges);
  await linkNewRows(sql, "node", fresh);
  await linkNewRows(sql, "edge", newEdges);
  const gained = {
    nodes: await linkKnownRows(sql, "node", foundNodes),
    edges: await linkKnownRows(sql, "edge", foundEdges),
  };
  const nodeRaises = foundNodes.map(({ key }) => [key, gained.nodes.get(key) ?? 0, degrees.get(key) ?? 0]);
  await raise(sql, raiseNodes, nodeRaises, ground.now(), origin);
  await raise(sql, raiseEdges, [...gained.edges], ground.now(), origin);
  // Rules find nothing but names, so there is nothing to enrich stored nodes and edges with.
  const told = origin !== "structural";
  const enrichedNodes = await enrichNodes(sql, ground.now(), origin, told ? foundNodes : []);
  const enrichedEdges = await enrichEdges(sql, ground.now(), origin, told ? foundEdges : []);
  return {
    nodesAdded: fresh.length,
    edgesAdded: newEdges.length,
    nodesUpdated: foundNodes.filter(
      ({ key, stored }) => stored.length > 1 || gained.nodes.has(key) || enrichedNodes.has(key),
    ).length,
    edgesUpdated: foundEdges.filter(({ key }) => gained.edges.has(key) || enrichedEdges.has(key)).length,
  };
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
  { now, newId }: ClockAndIds,
  origin: LayerOrigin,
  groups: readonly NodeGroup[],
  degrees: ReadonlyMap<number, number>,
): Promise<void> {
  const rows = groups.map((group) => [
    group.key,
    newId("graphNode"),
    group.projectKey ?? "",
    group.project,
    group.type,
    group.names[0] ?? "",
    JSON.stringify(group.names.slice(1)),
    JSON.stringify(group.properties),
    degrees.get(group.key) ?? 0,
    sourceCount(group),
  ]);
  for (const some of chunksOf(rows, rowsAtOnce))
    await sql.run(insertNodeRows, [JSON.stringify(some), origin, now()]);
  await insertNewNames(
    sql,
    groups.flatMap((group) => group.names.map((name) => ({ ...group, node: group.key, name }))),
  );
}

const insertNodeRows = `INSERT OR FAIL INTO graph_nodes (key, id, project_key, project, type, name, aliases, properties,
    degree, source_count, origin, stale, created_at, updated_at)
  SELECT ${listedColumns(10)}, ?2, 0, ?3, ?3 FROM json_each(?1)`;

/**
 * Raises the number of sources of stored nodes or edges, and the degrees of nodes. The sources may be older than a
 * row's last change, so that time is never set back.
 */
async function raise(
  sql: Sql,
  text: string,
  raises: readonly (readonly number[])[],
  now: number,
  origin: LayerOrigin,
): Promise<void> {
  const rows = raises.filter(([, ...counts]) => counts.some((count) => count > 0));
  if (rows.length === 0) return;
  const outranked = outrankedBy(origin);
  await sql.run(text, [JSON.stringify(rows), now, JSON.stringify(outranked), origin]);
}

const gainedSources = "json_extract(j.value, '$[1]')";
const raiseOf = (what: ThingKind, more: string) => `UPDATE OR FAIL graph_${what}s
  SET source_count = source_count + ${gainedSources}, ${more},
    updated_at = CASE WHEN ${gainedSources} > 0 THEN max(updated_at, ?2) ELSE updated_at END,
    stale = CASE WHEN ${gainedSources} > 0 THEN 0 ELSE stale END,
    origin = CASE WHEN ${gainedSources} > 0 AND origin IN (SELECT value FROM json_each(?3)) THEN ?4 ELSE origin END
  FROM json_each(?1) AS j WHERE graph_${what}s.key = json_extract(j.value, '$[0]')`;
const raiseNodes = raiseOf("node", "degree = degree + json_extract(j.value, '$[2]')");
const raiseEdges = raiseOf("edge", "structural = max(structural, ?4 = 'structural')");

/** Keys of those of the edges that are stored, by identity. */
export async function findEdges(
  sql: Sql,
  edges: readonly Pick<DraftedEdge, "identity" | "source" | "target" | "type">[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of chunksOf(edges, rowsAtOnce)) {
    const rows = await sql.values(
      `SELECT j.key, e.key FROM json_each(?) AS j CROSS JOIN graph_edges AS e
       WHERE e.source = json_extract(j.value, '$[0]') AND e.target = json_extract(j.value, '$[1]')
         AND e.type = json_extract(j.value, '$[2]')`,
      [JSON.stringify(some.map(({ source, target, type }) => [source, target, type]))],
    );
    for (const [at, key] of rows) found.set(some[Number(at)]?.identity ?? "", Number(key));
  }
  return found;
}

async function insertEdges(
  sql: Sql,
  { now, newId }: ClockAndIds,
  origin: LayerOrigin,
  edges: readonly DraftedEdge[],
): Promise<void> {
  const rows = edges.map((edge) => [
    edge.key,
    newId("graphEdge"),
    edge.source,
    edge.target,
    edge.type,
    edge.weight ?? null,
    edge.properties === undefined ? null : JSON.stringify(edge.properties),
    sourceCount(edge),
  ]);
  const structural = origin === "structural" ? 1 : 0;
  for (const some of chunksOf(rows, rowsAtOnce))
    await sql.run(insertEdgeRows, [JSON.stringify(some), structural, origin, now()]);
}

const insertEdgeRows = `INSERT OR FAIL INTO graph_edges (key, id, source, target, type, given_weight, properties,
    source_count, structural, origin, stale, created_at, updated_at)
  SELECT ${listedColumns(8)}, ?2, ?3, 0, ?4, ?4 FROM json_each(?1)`;
