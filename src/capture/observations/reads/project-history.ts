import { firstColumn, firstNumber, type Sql } from "../../../store/sql.ts";
import { agentClause } from "../../sessions/agent-scope.ts";
import type { ProjectView } from "../../sessions/view.ts";

/* Reads of the observations of a project, for recall, even if their sessions have moved to other projects. */

/** How many of a project's newest observations are searched for sessions that have moved. */
const newestPerProject = 1_000;

/** The sessions in which the newest observations of a project were made. */
export async function sessionsSeenIn(sql: Sql, { keys, filter }: ProjectView): Promise<string[]> {
  const agent = agentClause(filter, "agent_id");
  const found = await Promise.all(
    keys.map((key) =>
      firstColumn(
        sql,
        `SELECT DISTINCT session_id FROM (SELECT session_id, agent_id FROM observations WHERE project_key = ?
           ORDER BY timestamp DESC LIMIT ${newestPerProject}) WHERE true${agent.text}`,
        [key, ...agent.args],
      ),
    ),
  );
  return [...new Set(found.flat())];
}

/** The sessions among these whose first observation belongs to another project. */
export async function startedInOtherProjects(
  sql: Sql,
  keys: readonly string[],
  sessionIds: readonly string[],
): Promise<Set<string>> {
  const elsewhere = await firstColumn(
    sql,
    `SELECT value FROM json_each(?1) AS asked
     WHERE (SELECT project_key FROM observations WHERE session_id = asked.value ORDER BY timestamp, seq LIMIT 1)
       NOT IN (SELECT value FROM json_each(?2))`,
    [JSON.stringify(sessionIds), JSON.stringify(keys)],
  );
  return new Set(elsewhere);
}

/**
 * The number of observations of a project, without those of one session. If no agent filter applies, only the
 * index is read.
 */
export async function countInProject(
  sql: Sql,
  { keys, filter }: ProjectView,
  exceptSession: string | undefined,
): Promise<number> {
  const agent = agentClause(filter, "agent_id");
  const counted = `SELECT count(*) FROM observations
    WHERE project_key IN (SELECT value FROM json_each(?))${agent.text}`;
  const args = [JSON.stringify(keys), ...agent.args];
  const all = await firstNumber(sql, counted, args);
  if (exceptSession === undefined) return all;
  return all - (await firstNumber(sql, `${counted} AND session_id = ?`, [...args, exceptSession]));
}
