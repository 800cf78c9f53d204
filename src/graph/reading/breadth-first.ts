import type { AgentFilter } from "../../capture/sessions/agent-scope.ts";
import type { Sql } from "../../store/sql.ts";
import type { Member } from "./edges-among.ts";
import { visibleTo } from "./visibility.ts";

const mostVisited = 10_000;
/** Limit of edges read per step; they reach enough nodes to fill the limit above. */
const mostEdgesRead = 20_000;

interface Visited extends Member {
  readonly steps: number;
  readonly type: string;
}

interface Walk {
  /** The start first, then by distance, degree, age. */
  readonly visited: readonly Visited[];
  /** Whether limits ended the walk before everything within reach was visited. */
  readonly isCut: boolean;
}

/** All nodes within `maxSteps` of a node, following edges in both directions. */
export async function walkBreadthFirst(
  sql: Sql,
  start: number,
  maxSteps: number,
  filter: AgentFilter,
): Promise<Walk> {
  const steps = new Map<number, number>([[start, 0]]);
  let frontier = [start];
  let isCut = false;
  for (let step = 1; step <= maxSteps && frontier.length > 0 && !isCut; step += 1) {
    const next: number[] = [];
    const neighbours = await neighboursOf(sql, frontier, filter);
    isCut = neighbours.isCut;
    for (const key of neighbours.keys) {
      if (steps.has(key)) continue;
      if (steps.size === mostVisited) {
        isCut = true;
        break;
      }
      steps.set(key, step);
      next.push(key);
    }
    frontier = next;
  }
  const seen = visibleTo(filter, "node", "n.key");
  const rows = await sql.values(
    `SELECT n.key, n.degree, n.type FROM json_each(?) AS k CROSS JOIN graph_nodes AS n ON n.key = k.value
     WHERE n.stale = 0${seen.text}`,
    [JSON.stringify([...steps.keys()]), ...seen.args],
  );
  const visited = rows
    .map(([key, degree, type]) => ({
      key: Number(key),
      degree: Number(degree),
      type: String(type),
      steps: steps.get(Number(key)) ?? 0,
    }))
    .sort((a, b) => a.steps - b.steps || b.degree - a.degree || a.key - b.key);
  return { visited, isCut };
}

async function neighboursOf(
  sql: Sql,
  frontier: readonly number[],
  filter: AgentFilter,
): Promise<{ keys: number[]; isCut: boolean }> {
  const seen = visibleTo(filter, "edge", "e.key");
  const rows = await sql.values(
    `SELECT e.target FROM json_each(?) AS f CROSS JOIN graph_edges AS e ON e.source = f.value
     WHERE e.stale = 0${seen.text}
     UNION ALL
     SELECT e.source FROM json_each(?) AS f CROSS JOIN graph_edges AS e ON e.target = f.value
     WHERE e.stale = 0${seen.text}
     LIMIT ${mostEdgesRead + 1}`,
    [JSON.stringify(frontier), ...seen.args, JSON.stringify(frontier), ...seen.args],
  );
  return {
    keys: rows.slice(0, mostEdgesRead).map(([key]) => Number(key)),
    isCut: rows.length > mostEdgesRead,
  };
}
