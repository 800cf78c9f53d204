import { fullView } from "../../capture/sessions/view.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import { edgesAmong, strongest } from "./edges-among.ts";
import { findMatches } from "./matches.ts";

export const snapshotNodes = 500;
const mostEdges = 5_000;

/** How many nodes and edges were ever added or removed. */
const allMoves = "(SELECT coalesce(sum(moves), 0) FROM graph_counts)";
const sinceSnapshot = `snapshot_at AS takenAt, ${allMoves} - coalesce(snapshot_moves, 0) AS changes`;

/**
 * The nodes of highest degree at some moment, with the edges between them: answers a query without sorting the graph.
 */
interface Snapshot {
  readonly takenAt: number;
  /** Keys, highest degree first. */
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  /** How many nodes and edges were added or removed since. */
  readonly changes: number;
}

export async function readSnapshot(sql: Sql): Promise<Snapshot | undefined> {
  const row = await firstRow<{ takenAt: number | null; nodes: string; edges: string; changes: number }>(
    sql,
    `SELECT ${sinceSnapshot}, snapshot_nodes AS nodes, snapshot_edges AS edges FROM graph_state`,
  );
  if (row === undefined || row.takenAt === null) return undefined;
  // The casts are safe: takeSnapshot wrote these columns.
  const nodes = JSON.parse(row.nodes) as number[];
  return { takenAt: row.takenAt, nodes, edges: JSON.parse(row.edges) as number[], changes: row.changes };
}

/** How many nodes and edges were added or removed since the last snapshot, or ever when there is none. */
export async function changesSince(sql: Sql): Promise<{ changes: number; takenAt: number | null }> {
  const row = await firstRow<{ changes: number; takenAt: number | null }>(
    sql,
    `SELECT ${sinceSnapshot} FROM graph_state`,
  );
  return row ?? { changes: 0, takenAt: null };
}

/** Replaces the snapshot. Call it in a write transaction, so that nodes and edges are of the same moment. */
export async function takeSnapshot(sql: Sql, now: number): Promise<{ nodes: number; edges: number }> {
  const { page } = await findMatches(sql, {
    ...fullView,
    type: undefined,
    query: undefined,
    limit: snapshotNodes,
    offset: 0,
  });
  const edges = strongest(await edgesAmong(sql, page, fullView.filter), mostEdges);
  await sql.run(
    `UPDATE graph_state SET snapshot_at = ?, snapshot_nodes = ?, snapshot_edges = ?,
       snapshot_moves = ${allMoves}`,
    [now, JSON.stringify(page.map(({ key }) => key)), JSON.stringify(edges)],
  );
  return { nodes: page.length, edges: edges.length };
}
