import { textsIn } from "../../store/json-columns.ts";
import { firstKeys, type Sql } from "../../store/sql.ts";
import type { NodeType } from "../record.ts";
import { type GraphThings, writeGraphTombstones } from "./graph-tombstones.ts";
import { removeNames } from "./name-index.ts";
import { deletePending } from "./pending-rows.ts";
import type { SourceKind } from "./sources.ts";
import { ofBothKinds, type ThingKind } from "./thing-kind.ts";

/**
 * Takes rows that are being deleted out of the graph: their links, and every node and edge made by rules or by a model
 * that has no source left. What was imported stays. With `deletedAt`, other stores are told of these deletions.
 */
export async function detachRows(
  sql: Sql,
  kind: SourceKind,
  refs: readonly string[],
  deletedAt?: number,
): Promise<void> {
  await deletePending(sql, kind, refs);
  const gone = await firstKeys(
    sql,
    "DELETE FROM graph_sources WHERE kind = ? AND ref IN (SELECT value FROM json_each(?)) RETURNING key",
    [kind, JSON.stringify(refs)],
  );
  await detachSources(sql, gone, deletedAt);
}

/**
 * The same for keys of sources whose own rows are already gone. With `things`, only the links with these nodes and
 * edges are taken away.
 */
export async function detachSources(
  sql: Sql,
  keys: readonly number[],
  deletedAt?: number,
  things?: GraphThings,
): Promise<void> {
  if (keys.length === 0) return;
  const sources = JSON.stringify(keys);
  const bare = {
    edges: await uncount(sql, "edge", sources, things?.edges),
    nodes: await uncount(sql, "node", sources, things?.nodes),
  };
  if (deletedAt !== undefined) await writeGraphTombstones(sql, bare, deletedAt);
  await deleteEdges(sql, bare.edges);
  await deleteNodes(sql, bare.nodes);
}

/**
 * Imported or exchanged edges that have lost their last source here no longer get a weight from sources either. Those
 * without a given weight still do: their sources may be rows of the store that they came from.
 */
async function giveWeightBack(sql: Sql, counted: string): Promise<void> {
  await sql.run(
    `UPDATE graph_edges SET structural = 0
     WHERE key IN (SELECT json_extract(value, '$[0]') FROM json_each(?)) AND source_count = 0
       AND structural = 1 AND given_weight IS NOT NULL AND origin IN ('import', 'mesh')`,
    [counted],
  );
}

/**
 * Takes away the links of the sources with `things`, or all their links when it is undefined. Returns the keys of what
 * rules or models made and what has no source left.
 */
async function uncount(
  sql: Sql,
  what: ThingKind,
  sources: string,
  things: readonly number[] | undefined,
): Promise<number[]> {
  const { counts, uncountRows, unlink, bare } = statements[what];
  const links = [sources, things === undefined ? null : JSON.stringify(things)];
  const rows = await sql.values(counts, links);
  if (rows.length === 0) return [];
  const counted = JSON.stringify(rows);
  await sql.run(uncountRows, [counted]);
  await sql.run(unlink, links);
  if (what === "edge") await giveWeightBack(sql, counted);
  return firstKeys(sql, bare, [counted]);
}

const linkedWith = (what: ThingKind) => `source IN (SELECT value FROM json_each(?1))
  AND (?2 IS NULL OR ${what} IN (SELECT value FROM json_each(?2)))`;

const statementsOf = (what: ThingKind) => ({
  counts: `SELECT ${what}, count(*) FROM graph_${what}_links WHERE ${linkedWith(what)} GROUP BY ${what}`,
  uncountRows: `UPDATE graph_${what}s SET source_count = source_count - json_extract(j.value, '$[1]')
    FROM json_each(?) AS j WHERE graph_${what}s.key = json_extract(j.value, '$[0]')`,
  unlink: `DELETE FROM graph_${what}_links WHERE ${linkedWith(what)}`,
  bare: `SELECT r.key FROM json_each(?) AS j CROSS JOIN graph_${what}s AS r
    WHERE r.key = json_extract(j.value, '$[0]') AND r.source_count = 0 AND r.origin IN ('structural', 'llm')`,
});

const statements = ofBothKinds(statementsOf);

/** Deletes all links of nodes or edges, by key. */
export async function unlinkThings(sql: Sql, what: ThingKind, keys: readonly number[]): Promise<void> {
  const list = JSON.stringify(keys);
  await sql.run(`DELETE FROM graph_${what}_links WHERE ${what} IN (SELECT value FROM json_each(?))`, [list]);
}

export async function deleteEdges(sql: Sql, keys: readonly number[]): Promise<void> {
  if (keys.length === 0) return;
  const list = JSON.stringify(keys);
  await unlinkThings(sql, "edge", keys);
  await sql.run("DELETE FROM graph_edges WHERE key IN (SELECT value FROM json_each(?))", [list]);
}

/** Deletes nodes with their edges, names and links. */
export async function deleteNodes(sql: Sql, keys: readonly number[]): Promise<void> {
  if (keys.length === 0) return;
  const list = JSON.stringify(keys);
  const hanging = await firstKeys(
    sql,
    `SELECT key FROM graph_edges WHERE source IN (SELECT value FROM json_each(?1))
     UNION SELECT key FROM graph_edges WHERE target IN (SELECT value FROM json_each(?1))`,
    [list],
  );
  await deleteEdges(sql, hanging);
  await unlinkThings(sql, "node", keys);
  const rows = await sql.all<{
    key: number;
    projectKey: string;
    type: NodeType;
    name: string;
    aliases: string;
  }>(
    `SELECT key, project_key AS projectKey, type, name, aliases FROM graph_nodes
     WHERE key IN (SELECT value FROM json_each(?))`,
    [list],
  );
  await removeNames(
    sql,
    rows.flatMap((row) =>
      [row.name, ...textsIn(row.aliases)].map((name) => ({ ...row, node: row.key, name })),
    ),
  );
  await sql.run("DELETE FROM graph_nodes WHERE key IN (SELECT value FROM json_each(?))", [list]);
}
