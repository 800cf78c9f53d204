import { partReader, type Read } from "../../../store/row-reader.ts";
import type { Sql } from "../../../store/sql.ts";
import { agentClause } from "../../sessions/agent-scope.ts";
import type { ProjectView } from "../../sessions/view.ts";
import { isFileChangeSql } from "../calls/tool-kind.ts";
import { observations } from "../tables.ts";

/** How many observations of a project are looked through, the newest; that takes some milliseconds. */
const lookedThrough = 5_000;

/** SQL condition for what may be a list of what was done, such as `Done: the docs`. */
const saysWhatIsDone = ["done", "finished", "completed"]
  .map((word) => `narrative LIKE '%${word}%:%'`)
  .join(" OR ");

const part = partReader(observations, ["timestamp", "type", "hookType", "title", "narrative", "files"]);
export type Account = Read<typeof part>;

/**
 * What may tell that work was done, among the observations of a project since a time: plans, completed tasks, changed
 * task lists, and answers with `done:`, `finished:`, `completed:` or a mark.
 */
export async function accountsSince(
  sql: Sql,
  { keys, filter }: ProjectView,
  since: number,
): Promise<Account[]> {
  const agent = agentClause(filter, "agent_id");
  return part.rows(
    sql,
    `SELECT ${part.columns} FROM
       (SELECT ${part.columns}, agent_id FROM (SELECT value AS key FROM json_each(?)) AS asked CROSS JOIN observations
        WHERE seq IN (SELECT seq FROM observations WHERE project_key = asked.key AND timestamp >= ?
          ORDER BY timestamp DESC LIMIT ${lookedThrough}))
     WHERE (hook_type = 'task_completed'
       OR ${isFileChangeSql} AND (files = '[]' OR narrative LIKE '%[x]%')
       OR hook_type = 'stop' AND (narrative LIKE '%[x]%' OR ${saysWhatIsDone} OR instr(narrative, '✅') > 0))${agent.text}`,
    [JSON.stringify(keys), since, ...agent.args],
  );
}
