import { textsIn } from "../../../store/json-columns.ts";
import type { Sql } from "../../../store/sql.ts";
import { agentClause } from "../../sessions/agent-scope.ts";
import type { ProjectView } from "../../sessions/view.ts";
import { isFileChangeSql } from "../calls/tool-kind.ts";

/** How many observations of a project are looked through; that takes some milliseconds. */
const lookedThrough = 5_000;

export interface Account {
  readonly at: number;
  readonly type: string;
  readonly hookType: string;
  readonly title: string;
  readonly narrative: string;
  readonly files: readonly string[];
}

/**
 * What may tell that work was done, among the observations of a project since a time: plans, completed tasks, changed
 * task lists, and answers with `done:` or a mark.
 */
export async function accountsSince(
  sql: Sql,
  { keys, filter }: ProjectView,
  since: number,
): Promise<Account[]> {
  const agent = agentClause(filter, "agent_id");
  const rows = await sql.all<Omit<Account, "files"> & { readonly files: string }>(
    `SELECT timestamp AS at, type, hook_type AS hookType, title, narrative, files FROM
       (SELECT timestamp, type, hook_type, title, narrative, files, agent_id FROM observations
        WHERE project_key IN (SELECT value FROM json_each(?)) AND timestamp >= ? LIMIT ${lookedThrough})
     WHERE (hook_type = 'task_completed'
       OR ${isFileChangeSql} AND (files = '[]' OR narrative LIKE '%[x]%')
       OR hook_type = 'stop' AND (narrative LIKE '%[x]%' OR narrative LIKE '%done%:%' OR instr(narrative, '✅') > 0))${agent.text}`,
    [JSON.stringify(keys), since, ...agent.args],
  );
  return rows.map((row) => ({ ...row, files: textsIn(row.files) }));
}
