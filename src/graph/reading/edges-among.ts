import type { AgentFilter } from "../../capture/sessions/agent-scope.ts";
import type { Sql } from "../../store/sql.ts";
import { edgeWeight } from "../weight.ts";
import { visibleTo } from "./visibility.ts";

export interface Member {
  readonly key: number;
  readonly degree: number;
}

interface Among {
  readonly key: number;
  readonly weight: number;
}

/**
 * The edges with both ends among the members. For a member that has more edges than there are members, each pair is
 * looked up instead of reading all its edges, so that a node with a hundred thousand edges costs no more than the page
 * has members. The `+` before `e.target` keeps SQLite from looking up pairs for the other members too.
 */
export async function edgesAmong(
  sql: Sql,
  members: readonly Member[],
  filter: AgentFilter,
): Promise<Among[]> {
  if (members.length < 2) return [];
  const all = JSON.stringify(members.map(({ key }) => key));
  const busy = members.filter(({ degree }) => degree > members.length).map(({ key }) => key);
  const others = members.filter(({ degree }) => degree <= members.length).map(({ key }) => key);
  const seen = visibleTo(filter, "edge", "e.key");
  const columns = "e.key, e.given_weight, e.structural, e.source_count";
  const rows = [
    ...(await sql.values(
      `SELECT ${columns} FROM json_each(?) AS a CROSS JOIN graph_edges AS e ON e.source = a.value
       WHERE +e.target IN (SELECT value FROM json_each(?)) AND e.stale = 0${seen.text}`,
      [JSON.stringify(others), all, ...seen.args],
    )),
    ...(await sql.values(
      `SELECT ${columns} FROM json_each(?) AS a CROSS JOIN json_each(?) AS b
         CROSS JOIN graph_edges AS e ON e.source = a.value AND e.target = b.value
       WHERE e.stale = 0${seen.text}`,
      [JSON.stringify(busy), all, ...seen.args],
    )),
  ];
  return rows.map(([key, givenWeight, structural, sourceCount]) => ({
    key: Number(key),
    weight: edgeWeight({
      givenWeight: givenWeight === null ? null : Number(givenWeight),
      structural: Number(structural),
      sourceCount: Number(sourceCount),
    }),
  }));
}

/** Keys of the strongest edges, strongest first. */
export function strongest(edges: readonly Among[], most: number): number[] {
  return [...edges]
    .sort((a, b) => b.weight - a.weight || a.key - b.key)
    .slice(0, most)
    .map(({ key }) => key);
}
