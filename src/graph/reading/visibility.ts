import type { AgentFilter } from "../../capture/sessions/agent-scope.ts";
import { agentClause } from "../../capture/sessions/agent-scope.ts";
import type { SqlValue } from "../../store/sql.ts";
import { mostSources } from "../record.ts";
import type { ThingKind } from "../storage/thing-kind.ts";

/*
 * An agent sees a node or an edge when it may see at least one of its sources. A node or an edge without sources,
 * because it was imported, is treated like a row without an agent. Aliases and properties may come from any of the
 * sources, so they are only shown to those who may see all of them.
 */

interface Clause {
  readonly text: string;
  readonly args: readonly SqlValue[];
}

/** A condition to stand after AND; `key` is the column of the node or the edge. */
export function visibleTo(filter: AgentFilter, what: ThingKind, key: string): Clause {
  if (filter.kind === "everyone") return { text: "", args: [] };
  const { text, args } = agentClause(filter, "s.agent_id");
  const links = `graph_${what}_links AS l CROSS JOIN graph_sources AS s ON s.key = l.source WHERE l.${what} = ${key}`;
  const seen = `EXISTS (SELECT 1 FROM ${links}${text})`;
  const unlinked = filter.includeOrphans
    ? ` OR NOT EXISTS (SELECT 1 FROM graph_${what}_links AS l WHERE l.${what} = ${key})`
    : "";
  return { text: ` AND (${seen}${unlinked})`, args };
}

/** Columns over the sources that the filter admits: `refs`, the ids of the newest, and `seenCount`, their number. */
export function seenSources(filter: AgentFilter, what: ThingKind, alias: string): Clause {
  const { text, args } = agentClause(filter, "s.agent_id");
  const links = `graph_${what}_links AS l CROSS JOIN graph_sources AS s ON s.key = l.source
    WHERE l.${what} = ${alias}.key${text}`;
  const refs = `(SELECT json_group_array(ref) FROM (SELECT s.ref FROM ${links} ORDER BY l.source DESC LIMIT ${mostSources})) AS refs`;
  if (filter.kind === "everyone") return { text: `${refs}, ${alias}.source_count AS seenCount`, args: [] };
  return { text: `${refs}, (SELECT count(*) FROM ${links}) AS seenCount`, args: [...args, ...args] };
}

/** Condition: the node `n` also has sources that the agent may not see. Its argument is the agent. */
export function isSharedWithUnseen(filter: AgentFilter): string {
  if (filter.kind === "everyone") return "0";
  const { text } = agentClause(filter, "s.agent_id");
  return `n.source_count > (SELECT count(*) FROM graph_node_links AS l
    CROSS JOIN graph_sources AS s ON s.key = l.source WHERE l.node = n.key${text})`;
}

/** The column `degree`, which only counts those edges of the node `n` that the filter admits. */
export function seenDegree(filter: AgentFilter): Clause {
  if (filter.kind === "everyone") return { text: "n.degree", args: [] };
  const seen = visibleTo(filter, "edge", "e.key");
  const at = (end: "source" | "target") =>
    `(SELECT count(*) FROM graph_edges AS e WHERE e.${end} = n.key${seen.text})`;
  return { text: `${at("source")} + ${at("target")} AS degree`, args: [...seen.args, ...seen.args] };
}
