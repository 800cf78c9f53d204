import type { Sql } from "../../store/sql.ts";
import { agentClause } from "../sessions/agent-scope.ts";
import type { ProjectView } from "../sessions/view.ts";

/** The newest: mostly more than are made in the time between a session and a look back at it. */
const mostRead = 500;

export interface CommitMessage {
  /** When the commit was made, else when it was linked. */
  readonly at: number;
  readonly message: string;
}

/** The messages of the commits that sessions of a project made since a time, the first first. */
export async function commitMessagesSince(
  sql: Sql,
  { keys, filter }: ProjectView,
  since: number,
): Promise<CommitMessage[]> {
  const agent = agentClause(filter, "sessions.agent_id");
  // A commit is never linked before it is made, so the index on the time of linking narrows the search.
  const newest = await sql.all<CommitMessage>(
    `SELECT coalesce(authored_at, linked_at) AS at, message FROM commits
     WHERE linked_at >= ?1 AND coalesce(authored_at, linked_at) >= ?1 AND message IS NOT NULL
       AND EXISTS (SELECT 1 FROM commit_sessions JOIN sessions ON sessions.id = commit_sessions.session_id
         WHERE commit_sessions.sha = commits.sha
           AND sessions.project_key IN (SELECT value FROM json_each(?2))${agent.text})
     ORDER BY linked_at DESC LIMIT ${mostRead}`,
    [since, JSON.stringify(keys), ...agent.args],
  );
  return newest.reverse();
}
