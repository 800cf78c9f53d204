import { firstColumn, type Sql } from "../../store/sql.ts";

const mostAgents = 1_000;

/** The agents that have sessions. */
export function agentsOfSessions(sql: Sql): Promise<string[]> {
  return firstColumn(
    sql,
    `SELECT DISTINCT agent_id FROM sessions WHERE agent_id IS NOT NULL ORDER BY agent_id LIMIT ${mostAgents}`,
  );
}
