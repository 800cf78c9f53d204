import { partReader, type Read } from "../../../store/row-reader.ts";
import type { Sql } from "../../../store/sql.ts";
import { agentClause } from "../../sessions/agent-scope.ts";
import type { ProjectView } from "../../sessions/view.ts";
import { labelledFact } from "../rules/fact-labels.ts";
import { observations } from "../tables.ts";

/** How many of a project's newest prompts are searched, mostly those of years: that takes 14 ms (measured). */
const lookedThrough = 5_000;
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
  // Named, because SQLite holds the index of all events for as good.
  return part.rows(
    sql,
    `SELECT ${part.columns} FROM observations
     WHERE seq IN (SELECT seq FROM observations INDEXED BY observations_prompts
                   WHERE hook_type = 'prompt_submit' AND project_key IN (SELECT value FROM json_each(?))
                   ORDER BY timestamp DESC LIMIT ${lookedThrough})
       AND session_id <> ?
       AND (instr(facts, '"${labelledFact("decision", "")}') > 0 OR instr(facts, '"${labelledFact("preference", "")}') > 0)${agent.text}
     ORDER BY timestamp DESC, seq DESC LIMIT ${mostPrompts}`,
    [JSON.stringify(keys), exceptSession, ...agent.args],
  );
}
