import { type AgentFilter, agentClause } from "../../../capture/sessions/agent-scope.ts";
import { firstColumn, type Sql } from "../../../store/sql.ts";
import type { MemoryRow } from "../record.ts";

const sharedConcepts = 2;

/** Latest memories of the same project that share concepts with a memory, without its own later versions. */
export async function siblingsOf(sql: Sql, row: MemoryRow, filter: AgentFilter): Promise<string[]> {
  const agent = agentClause(filter, "agent_id");
  return firstColumn(
    sql,
    `SELECT id FROM memories
     WHERE is_latest = 1 AND project_key IS ?
       AND NOT EXISTS (SELECT 1 FROM json_each(supersedes) WHERE value = ?)
       AND (SELECT count(DISTINCT lower(value)) FROM json_each(memories.concepts)
         WHERE lower(value) IN (SELECT lower(value) FROM json_each(?))) >= ${sharedConcepts}${agent.text}
     ORDER BY created_at DESC, id DESC`,
    [row.projectKey, row.id, JSON.stringify(row.concepts), ...agent.args],
  );
}
