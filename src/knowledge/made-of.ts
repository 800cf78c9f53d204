import { type AgentFilter, agentClause } from "../capture/sessions/agent-scope.ts";
import type { Sql } from "../store/sql.ts";

/** Where rows that may be made of observations are kept. */
export interface MadeRows {
  readonly table: string;
  readonly sourceColumn: string;
  /** True of a row that others are shown. */
  readonly stands: string;
}

/** The ids of rows that name any of the observations as their source, as far as the filter lets see. */
export async function madeOf(
  sql: Sql,
  { table, sourceColumn, stands }: MadeRows,
  observationIds: readonly string[],
  filter: AgentFilter,
): Promise<string[]> {
  if (observationIds.length === 0) return [];
  const agent = agentClause(filter, "agent_id");
  const rows = await sql.values(
    `WITH gone(id) AS MATERIALIZED (SELECT value FROM json_each(?))
     SELECT id FROM ${table} WHERE ${stands} AND ${sourceColumn} <> '[]'
       AND EXISTS (SELECT 1 FROM json_each(${sourceColumn}) WHERE value IN gone)${agent.text} ORDER BY id`,
    [JSON.stringify(observationIds), ...agent.args],
  );
  return rows.map(([id]) => String(id));
}
