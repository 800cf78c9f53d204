import type { AgentFilter } from "../../capture/sessions/agent-scope.ts";
import type { View } from "../../capture/sessions/view.ts";
import { timeText } from "../../operation/fields.ts";
import { ofProjectsOrAll } from "../../store/of-projects.ts";
import type { Sql } from "../../store/sql.ts";
import type { GraphStats } from "../answers.ts";
import type { ThingKind } from "../storage/thing-kind.ts";
import { readSnapshot } from "./snapshot.ts";
import { visibleTo } from "./visibility.ts";

interface Count {
  readonly what: ThingKind;
  readonly type: string;
  readonly origin: string;
  readonly stale: number;
  readonly n: number;
}

/** Counts of nodes and edges by type, stale ones included. */
export async function graphStats(sql: Sql, view: View, now: number): Promise<GraphStats> {
  const { filter } = view;
  const keys = view.keys === undefined ? null : JSON.stringify(view.keys);
  const counts =
    filter.kind === "everyone"
      ? await sql.all<Count>(keptCounts, [keys])
      : await seenCounts(sql, keys, filter);
  const sum = (what: Count["what"], test: (count: Count) => boolean = () => true) =>
    counts.reduce((total, count) => (count.what === what && test(count) ? total + count.n : total), 0);
  const by = (what: Count["what"], field: "type" | "origin") => {
    const groups: Record<string, number> = {};
    for (const count of counts)
      if (count.what === what && count.n > 0) groups[count[field]] = (groups[count[field]] ?? 0) + count.n;
    return groups;
  };
  const snapshot = filter.kind === "everyone" ? await readSnapshot(sql) : undefined;
  return {
    nodes: sum("node"),
    edges: sum("edge"),
    totalNodes: sum("node"),
    totalEdges: sum("edge"),
    nodesByType: by("node", "type"),
    edgesByType: by("edge", "type"),
    nodesByOrigin: by("node", "origin"),
    staleNodes: sum("node", ({ stale }) => stale === 1),
    staleEdges: sum("edge", ({ stale }) => stale === 1),
    snapshot:
      snapshot === undefined
        ? null
        : {
            updatedAt: timeText(snapshot.takenAt),
            nodes: snapshot.nodes.length,
            edges: snapshot.edges.length,
          },
    updatedAt: timeText(now),
  };
}

const keptCounts = `SELECT what, type, origin, stale, sum(n) AS n FROM graph_counts WHERE ${ofProjectsOrAll}
  GROUP BY what, type, origin, stale`;

async function seenCounts(sql: Sql, keys: string | null, filter: AgentFilter): Promise<Count[]> {
  const node = visibleTo(filter, "node", "r.key");
  const edge = visibleTo(filter, "edge", "r.key");
  const group = "GROUP BY r.type, r.origin, r.stale";
  return [
    ...(await sql.all<Count>(
      `SELECT 'node' AS what, r.type, r.origin, r.stale, count(*) AS n FROM graph_nodes AS r
       WHERE ${ofProjectsOrAll}${node.text.replaceAll("?", "?2")} ${group}`,
      [keys, ...node.args],
    )),
    ...(await sql.all<Count>(
      `SELECT 'edge' AS what, r.type, r.origin, r.stale, count(*) AS n
       FROM graph_edges AS r CROSS JOIN graph_nodes AS a ON a.key = r.source
       WHERE ${ofProjectsOrAll}${edge.text.replaceAll("?", "?2")} ${group}`,
      [keys, ...edge.args],
    )),
  ];
}
