import { partReader, type Read } from "../../../store/row-reader.ts";
import type { Sql } from "../../../store/sql.ts";
import { agentClause } from "../../sessions/agent-scope.ts";
import type { ProjectView } from "../../sessions/view.ts";
import { labelledFact } from "../rules/fact-labels.ts";
import { observations } from "../tables.ts";

/** How many of a project's newest observations are searched, mostly those of a year: that takes 25 ms (measured). */
const lookedThrough = 20_000;
const mostPrompts = 200;

const part = partReader(observations, ["timestamp", "narrative", "facts"]);
export type RulingPrompt = Read<typeof part>;

/** The prompts of a project in which rules found a decision or a preference, the newest first. */
export async function rulingPromptsOf(
  sql: Sql,
  { keys, filter }: ProjectView,
  exceptSession: string,
): Promise<RulingPrompt[]> {
  const agent = agentClause(filter, "agent_id");
  return part.rows(
    sql,
    `SELECT ${part.columns} FROM
       (SELECT ${part.columns}, seq, session_id, hook_type, agent_id FROM observations
        WHERE project_key IN (SELECT value FROM json_each(?)) ORDER BY timestamp DESC LIMIT ${lookedThrough})
     WHERE hook_type = 'prompt_submit' AND session_id <> ?
       AND (instr(facts, '"${labelledFact("decision", "")}') > 0 OR instr(facts, '"${labelledFact("preference", "")}') > 0)${agent.text}
     ORDER BY timestamp DESC, seq DESC LIMIT ${mostPrompts}`,
    [JSON.stringify(keys), exceptSession, ...agent.args],
  );
}
