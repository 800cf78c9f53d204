import type { Sql } from "../../../store/sql.ts";
import { isAnswerSql } from "../prose/agent-answer.ts";

export interface TurnAnswer {
  readonly prompt: string;
  /** Id of the observation. */
  readonly id: string;
  readonly narrative: string;
}

/**
 * What the agent said at the end of the turns that prompts began; prompts that another one followed have none. A turn's
 * tool calls lie between the two. Whoever may read a prompt may not read what another agent said.
 */
export function turnAnswersOf(sql: Sql, ids: readonly string[]): Promise<TurnAnswer[]> {
  return sql.all<TurnAnswer>(
    `SELECT told.id AS prompt, answer.id, answer.narrative
     FROM json_each(?) AS asked
     CROSS JOIN observations AS told ON told.id = asked.value AND told.hook_type = 'prompt_submit'
     CROSS JOIN observations AS answer ON answer.seq = (
       SELECT seq FROM observations
       WHERE session_id = told.session_id AND (timestamp, seq) > (told.timestamp, told.seq)
         AND (hook_type = 'prompt_submit' OR ${isAnswerSql})
       ORDER BY timestamp, seq LIMIT 1)
     WHERE answer.hook_type <> 'prompt_submit' AND answer.agent_id IS told.agent_id`,
    [JSON.stringify(ids)],
  );
}
