import { packed, packedRows } from "../../store/packed-rows.ts";
import type { Sql } from "../../store/sql.ts";
import { edgeWeight } from "../weight.ts";
import type { StartNode } from "./start-nodes.ts";

/*
 * The walk of a search: at most two steps from the nodes that the query names, to the 64 nodes with the highest scores.
 * A step always lowers the score, so it is enough to go on from the best 64 nodes of a step; what lies behind the
 * others in a graph of a million edges is not read. For the same reason nodes that score higher than any further step
 * could are yielded before that step, and a consumer that has enough of them ends the walk. Reads are bounded, and look
 * up lists of keys by an index, because a join whose order is left to the planner takes hundreds of times as long.
 */

export interface ReachedNode {
  readonly key: number;
  /** Start score, times the weight of every edge on the way, times a half for every step. */
  readonly score: number;
}

const mostSteps = 2;
const mostNodes = 64;
const mostEdgesRead = 800;
/** The walk does not go on from nodes of a higher degree: almost everything is near them, so nearness says nothing. */
const busiest = 500;
const perStep = 0.5;
const nodesPerStatement = 16;

/**
 * Nodes near the starting ones, in chunks, best first. Project nodes are left out, because all rows of a project have
 * one.
 */
export async function* walkBestFirst(sql: Sql, starts: readonly StartNode[]): AsyncGenerator<ReachedNode[]> {
  const scores = new Map(starts.map(({ key, score }) => [key, score]));
  const known = new Map<number, Passable>();
  const expanded = new Set<number>();
  let edgesRead = 0;
  let told = 0;
  for (let step = 0; step < mostSteps; step += 1) {
    const best = await reachable(sql, scores, known);
    const open = best.filter(({ key }) => known.get(key) === "open" && !expanded.has(key));
    const highestToCome = (open[0]?.score ?? 0) * perStep;
    const sure = best.filter(({ score }) => score > highestToCome);
    yield sure.slice(told);
    told = sure.length;
    for (let at = 0; at < open.length && edgesRead < mostEdgesRead; at += nodesPerStatement) {
      const nodes = open.slice(at, at + nodesPerStatement);
      // No neighbour of these can score higher than the last of the best.
      const least = best.length < mostNodes ? 0 : (best.at(-1)?.score ?? 0);
      if ((nodes[0]?.score ?? 0) * perStep <= least) break;
      for (const { key } of nodes) expanded.add(key);
      edgesRead += await follow(sql, nodes, scores, mostEdgesRead - edgesRead);
    }
  }
  yield (await reachable(sql, scores, known)).slice(told);
}

/** Whether the walk goes on from a node ("open"), ends at it ("end"), or leaves it out ("none"). */
type Passable = "open" | "end" | "none";

/** The best nodes so far, best first; of equal scores the older first, so that the same graph gives the same walk. */
async function reachable(
  sql: Sql,
  scores: ReadonlyMap<number, number>,
  known: Map<number, Passable>,
): Promise<ReachedNode[]> {
  const ranked = [...scores]
    .filter(([key]) => known.get(key) !== "none")
    .map(([key, score]) => ({ key, score }))
    .sort((a, b) => b.score - a.score || a.key - b.key);
  const best: ReachedNode[] = [];
  for (let at = 0; at < ranked.length && best.length < mostNodes; at += mostNodes) {
    const slice = ranked.slice(at, at + mostNodes);
    const asked = slice.map(({ key }) => key).filter((key) => !known.has(key));
    for (const key of asked) known.set(key, "none");
    for (const [key, type, degree] of await sql.values(presentNodes, [JSON.stringify(asked)])) {
      if (type !== "project") known.set(Number(key), Number(degree) > busiest ? "end" : "open");
    }
    best.push(...slice.filter(({ key }) => known.get(key) !== "none"));
  }
  return best.slice(0, mostNodes);
}

/** Scores the neighbours of the nodes, which come best first; returns how many edges were read. */
async function follow(
  sql: Sql,
  nodes: readonly ReachedNode[],
  scores: Map<number, number>,
  mostEdges: number,
): Promise<number> {
  const keys = JSON.stringify(nodes.map(({ key }) => key));
  let read = 0;
  for (const text of [edgesFrom, edgesTo]) {
    const edges = await packedRows<EdgeFields>(sql, text, [keys, Math.ceil(mostEdges / 2)]);
    read += edges.length;
    for (const [place, other, givenWeight, structural, sourceCount] of edges) {
      const weight = edgeWeight({ givenWeight, structural, sourceCount });
      const score = (nodes[place]?.score ?? 0) * weight * perStep;
      if (score > (scores.get(other) ?? 0)) scores.set(other, score);
    }
  }
  return read;
}

const presentNodes = `SELECT n.key, n.type, n.degree FROM json_each(?) AS k
  CROSS JOIN graph_nodes AS n ON n.key = k.value WHERE n.stale = 0`;

/** Index of the node in the list given, the node at the other end, and what the edge's weight is computed from. */
type EdgeFields = readonly [
  place: number,
  other: number,
  givenWeight: number | null,
  structural: number,
  sourceCount: number,
];

const edgeColumns = ["place", "other", "given_weight", "structural", "source_count"];
const edgesFrom = packed(
  edgeColumns,
  `SELECT k.key AS place, e.target AS other, e.given_weight, e.structural, e.source_count
  FROM json_each(?) AS k CROSS JOIN graph_edges AS e ON e.source = k.value WHERE e.stale = 0 LIMIT ?`,
);
const edgesTo = packed(
  edgeColumns,
  `SELECT k.key AS place, e.source AS other, e.given_weight, e.structural, e.source_count
  FROM json_each(?) AS k CROSS JOIN graph_edges AS e ON e.target = k.value WHERE e.stale = 0 LIMIT ?`,
);
