import { changedAtSql } from "../../store/changed-at.ts";
import { objectIn, textsIn } from "../../store/json-columns.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import { mostAliases, unitedProperties } from "../kept-of-things.ts";
import { type LayerOrigin, type NodeType, surestOrigin } from "../record.ts";
import { degreesOf, raiseDegrees } from "./counts.ts";
import { undirected } from "./draft.ts";
import { insertNames, removeNames } from "./name-index.ts";

interface MergedNode {
  readonly projectKey: string;
  readonly type: NodeType;
  readonly name: string;
  readonly aliases: string;
  readonly properties: string;
  readonly origin: LayerOrigin;
  readonly stale: number;
}

/** Merges two nodes that turned out to be the same thing: `kept` keeps its id and takes over everything of `gone`. */
export async function mergeNodes(sql: Sql, now: number, kept: number, gone: number): Promise<void> {
  const keeper = await readNode(sql, kept);
  const other = await readNode(sql, gone);
  if (keeper === undefined || other === undefined) return;
  await moveEdges(sql, kept, gone);
  await sql.run(
    `INSERT OR IGNORE INTO graph_node_links (node, source) SELECT ?1, source FROM graph_node_links WHERE node = ?2`,
    [kept, gone],
  );
  await sql.run("DELETE FROM graph_node_links WHERE node = ?", [gone]);
  const names = namesIn(other);
  await removeNames(
    sql,
    names.map((name) => ({ ...other, node: gone, name })),
  );
  await sql.run("DELETE FROM graph_nodes WHERE key = ?", [gone]);
  const aliases = [...new Set([...namesIn(keeper), ...names])].slice(1, 1 + mostAliases);
  await sql.run(
    `UPDATE graph_nodes SET aliases = ?2, properties = ?3, origin = ?4, stale = ?5, updated_at = ${changedAtSql("?6")},
       source_count = (SELECT count(*) FROM graph_node_links WHERE node = ?1) WHERE key = ?1`,
    [
      kept,
      JSON.stringify(aliases),
      JSON.stringify(unitedProperties(objectIn(keeper.properties), objectIn(other.properties))),
      surestOrigin([keeper, other]),
      Math.min(keeper.stale, other.stale),
      now,
    ],
  );
  await insertNames(
    sql,
    aliases.map((name) => ({ ...keeper, node: kept, name })),
  );
}

async function readNode(sql: Sql, key: number): Promise<MergedNode | undefined> {
  return firstRow<MergedNode>(
    sql,
    `SELECT project_key AS projectKey, type, name, aliases, properties, origin, stale FROM graph_nodes WHERE key = ?`,
    [key],
  );
}

function namesIn({ name, aliases }: Pick<MergedNode, "name" | "aliases">): string[] {
  return [name, ...textsIn(aliases)];
}

interface MovedEdge {
  readonly key: number;
  readonly source: number;
  readonly target: number;
  readonly type: string;
  readonly givenWeight: number | null;
  readonly structural: number;
  readonly stale: number;
  readonly id: string;
  readonly origin: LayerOrigin;
  readonly properties: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Moves each edge of `gone` to `kept`, or merges it into the same edge there. */
async function moveEdges(sql: Sql, kept: number, gone: number): Promise<void> {
  const edges = await sql.all<MovedEdge>(
    `SELECT key, id, source, target, type, given_weight AS givenWeight, structural, stale, origin, properties,
       created_at AS createdAt, updated_at AS updatedAt FROM graph_edges WHERE source = ?1 OR target = ?1`,
    [gone],
  );
  for (const edge of edges) {
    const ends = [edge.source, edge.target].map((end) => (end === gone ? kept : end));
    if (edge.type === undirected) ends.sort((a, b) => a - b);
    const [source = kept, target = kept] = ends;
    const twin = await firstRow<{ key: number; origin: MovedEdge["origin"] }>(
      sql,
      "SELECT key, origin FROM graph_edges WHERE source = ? AND target = ? AND type = ?",
      [source, target, edge.type],
    );
    await sql.run("DELETE FROM graph_edges WHERE key = ?", [edge.key]);
    if (source === target) {
      await sql.run("DELETE FROM graph_edge_links WHERE edge = ?", [edge.key]);
      continue;
    }
    if (twin === undefined) await insertMoved(sql, { ...edge, source, target });
    else await joinTwin(sql, edge, twin);
  }
}

async function insertMoved(sql: Sql, edge: MovedEdge): Promise<void> {
  await sql.run(
    `INSERT INTO graph_edges (key, id, source, target, type, given_weight, structural, properties, origin, stale,
       source_count, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
       (SELECT count(*) FROM graph_edge_links WHERE edge = ?1), ?11, ?12)`,
    [
      edge.key,
      edge.id,
      edge.source,
      edge.target,
      edge.type,
      edge.givenWeight,
      edge.structural,
      edge.properties,
      edge.origin,
      edge.stale,
      edge.createdAt,
      edge.updatedAt,
    ],
  );
  await raiseDegrees(sql, degreesOf([edge]));
  await sql.run(
    `INSERT INTO graph_counts (what, project_key, type, origin, stale, ends, n, moves)
     SELECT 'edge', a.project_key, ?3, ?4, ?5, CASE WHEN a.type = b.type THEN a.type ELSE '' END, 1, 1
     FROM graph_nodes AS a, graph_nodes AS b WHERE a.key = ?1 AND b.key = ?2
     ON CONFLICT (what, project_key, type, origin, stale, ends) DO UPDATE SET n = n + 1, moves = moves + 1`,
    [edge.source, edge.target, edge.type, edge.origin, edge.stale],
  );
}

async function joinTwin(
  sql: Sql,
  edge: MovedEdge,
  twin: { readonly key: number; readonly origin: MovedEdge["origin"] },
): Promise<void> {
  await sql.run(
    "INSERT OR IGNORE INTO graph_edge_links (edge, source) SELECT ?1, source FROM graph_edge_links WHERE edge = ?2",
    [twin.key, edge.key],
  );
  await sql.run("DELETE FROM graph_edge_links WHERE edge = ?", [edge.key]);
  await sql.run(
    `UPDATE graph_edges SET
       given_weight = CASE WHEN given_weight IS NULL AND ?2 IS NULL THEN NULL
         ELSE max(coalesce(given_weight, 0), coalesce(?2, 0)) END,
       structural = max(structural, ?3), origin = ?4, stale = min(stale, ?5), properties = coalesce(properties, ?6),
       source_count = (SELECT count(*) FROM graph_edge_links WHERE edge = ?1) WHERE key = ?1`,
    [twin.key, edge.givenWeight, edge.structural, surestOrigin([edge, twin]), edge.stale, edge.properties],
  );
}
