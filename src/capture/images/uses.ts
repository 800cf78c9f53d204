import type { SqlValue } from "../../store/sql.ts";
import { type AgentFilter, agentClause } from "../sessions/agent-scope.ts";

export interface UseFilter {
  readonly agents: AgentFilter;
  readonly sessionId: string | undefined;
}

/**
 * For FROM, with its arguments: one row per image with `ref`, `session_id` and `observation_id` of its newest
 * use that the filter allows. An image without any use was forgotten and is not shown, even if the sweep has
 * not deleted it yet.
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
