import { type AgentFilter, agentClause } from "../capture/sessions/agent-scope.ts";
import type { Sql } from "../store/sql.ts";

const families = {
  memory: { table: "memories", sources: "source_observation_ids", stands: "is_latest" },
  lesson: { table: "lessons", sources: "source_ids", stands: "NOT deleted" },
} as const;

/** Latest memories, or lessons, that name any of the observations as their source, as far as the filter lets see. */
export async function madeOf(
  sql: Sql,
  kind: keyof typeof families,
  observationIds: readonly string[],
  filter: AgentFilter,
): Promise<string[]> {
  if (observationIds.length === 0) return [];
  const { table, sources, stands } = families[kind];
  const agent = agentClause(filter, "agent_id");
  const rows = await sql.values(
    `WITH gone(id) AS MATERIALIZED (SELECT value FROM json_each(?))
     SELECT id FROM ${table} WHERE ${stands} AND ${sources} <> '[]'
       AND EXISTS (SELECT 1 FROM json_each(${sources}) WHERE value IN gone)${agent.text} ORDER BY id`,
    [JSON.stringify(observationIds), ...agent.args],
  );
  return rows.map(([id]) => String(id));
}
