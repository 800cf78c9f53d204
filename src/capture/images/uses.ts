import type { SqlValue } from "../../store/sql.ts";
import { type AgentFilter, agentClause } from "../sessions/agent-scope.ts";

export interface UseFilter {
  readonly agents: AgentFilter;
  readonly sessionId: string | undefined;
}

/**
 * As it stands after FROM, with its arguments: `ref`, `session_id` and `observation_id` of the newest place where an
 * image was used that the filter lets through, one row an image. An image that nothing names any more was forgotten,
 * though a sweep has yet to take it: nobody sees it.
 */
export function imageUses({ agents, sessionId }: UseFilter): { text: string; args: SqlValue[] } {
  const agent = agentClause(agents, "agent_id");
  const session = sessionId === undefined ? "" : " AND session_id = ?";
  return {
    text: `(SELECT ref, session_id, observation_id, max(used_at) AS used_at FROM (
       SELECT image_links.ref, session_id, observations.id AS observation_id, agent_id, received_at AS used_at
         FROM image_links JOIN observations ON observations.id = image_links.observation_id
       UNION ALL SELECT ref, session_id, NULL, agent_id, created_at FROM image_pins
     ) WHERE 1${agent.text}${session} GROUP BY ref)`,
    args: [...agent.args, ...(sessionId === undefined ? [] : [sessionId])],
  };
}
