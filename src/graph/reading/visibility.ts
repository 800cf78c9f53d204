import type { AgentFilter } from "../../capture/sessions/agent-scope.ts";
import { agentClause } from "../../capture/sessions/agent-scope.ts";
import type { SqlValue } from "../../store/sql.ts";
import { mostSources } from "../record.ts";
import type { ThingKind } from "../storage/thing-kind.ts";

/*
 * A node or an edge is seen by those who see at least one of the rows that it was found in. What was found in none,
 * because it was imported, counts as a row without agent. What is known of it beside its name and its ends may come from
 * any of the rows, and is only shown to those who see all of them.
 */

export interface Clause {
  readonly text: string;
  readonly args: readonly SqlValue[];
}

/** A condition of rows of the projects that the first argument lists; without a list every row fulfils it. */
export const ofProjects = "(?1 IS NULL OR project_key IN (SELECT value FROM json_each(?1)))";

/** A condition to stand after AND; `key` is the column of the node or the edge. */
export function seenBy(filter: AgentFilter, what: ThingKind, key: string): Clause {
  if (filter.kind === "everyone") return { text: "", args: [] };
  const { text, args } = agentClause(filter, "s.agent_id");
  const links = `graph_${what}_links AS l CROSS JOIN graph_sources AS s ON s.key = l.source WHERE l.${what} = ${key}`;
  const seen = `EXISTS (SELECT 1 FROM ${links}${text})`;
  const unlinked = filter.includeOrphans
    ? ` OR NOT EXISTS (SELECT 1 FROM graph_${what}_links AS l WHERE l.${what} = ${key})`
    : "";
  return { text: ` AND (${seen}${unlinked})`, args };
}

/** Columns of a node or an edge that only count what is seen: `refs`, the newest ids, and `seenCount`. */
export function seenSources(filter: AgentFilter, what: ThingKind, alias: string): Clause {
  const { text, args } = agentClause(filter, "s.agent_id");
  const links = `graph_${what}_links AS l CROSS JOIN graph_sources AS s ON s.key = l.source
    WHERE l.${what} = ${alias}.key${text}`;
  const refs = `(SELECT json_group_array(ref) FROM (SELECT s.ref FROM ${links} ORDER BY l.source DESC LIMIT ${mostSources})) AS refs`;
  if (filter.kind === "everyone") return { text: `${refs}, ${alias}.source_count AS seenCount`, args: [] };
  return { text: `${refs}, (SELECT count(*) FROM ${links}) AS seenCount`, args: [...args, ...args] };
}

/** A condition of nodes `n` that were also found in rows which are not seen; its argument is the agent. */
export function isSharedWithUnseen(filter: AgentFilter): string {
  if (filter.kind === "everyone") return "0";
  const { text } = agentClause(filter, "s.agent_id");
  return `n.source_count > (SELECT count(*) FROM graph_node_links AS l
    CROSS JOIN graph_sources AS s ON s.key = l.source WHERE l.node = n.key${text})`;
}

/** A column that only counts the edges of a node that are seen: `degree`. */
export function seenDegree(filter: AgentFilter, alias: string): Clause {
  if (filter.kind === "everyone") return { text: `${alias}.degree`, args: [] };
  const seen = seenBy(filter, "edge", "e.key");
  const at = (end: "source" | "target") =>
    `(SELECT count(*) FROM graph_edges AS e WHERE e.${end} = ${alias}.key${seen.text})`;
  return { text: `${at("source")} + ${at("target")} AS degree`, args: [...seen.args, ...seen.args] };
}
