import { firstColumn, firstNumber, type Sql, type SqlValue } from "../../store/sql.ts";
import { agentClause } from "./agent-scope.ts";
import { type ProjectView, type View, viewClause } from "./view.ts";

/*
 * Reads of the sessions of a project, for recall. Every statement is bounded: it uses the index of the
 * project and reads no observation.
 */

export interface PastSession {
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly updatedAt: number;
  readonly summary: string | null;
  readonly firstPrompt: string | null;
  readonly agentId: string | null;
}

const pastSessionColumns = `s.id, s.started_at AS startedAt, s.ended_at AS endedAt, s.updated_at AS updatedAt, s.summary,
  s.first_prompt AS firstPrompt, s.agent_id AS agentId`;

/** The newest sessions of a project, without the one that asks. */
export async function newestSessions(
  sql: Sql,
  view: ProjectView,
  limit: number,
  exceptId: string | undefined,
): Promise<PastSession[]> {
  const newest = newestOfProject(pastSessionColumns, view, limit, exceptId);
  return sql.all<PastSession>(newest.text, newest.args);
}

/**
 * Takes the newest of each key by the index on key and time, so that a project of many sessions costs no
 * more.
 */
function newestOfProject(
  columns: string,
  { keys, filter }: ProjectView,
  limit: number,
  exceptId?: string,
): { text: string; args: SqlValue[] } {
  const agent = agentClause(filter, "agent_id");
  return {
    text: `SELECT ${columns} FROM (SELECT DISTINCT value FROM json_each(?)) AS asked CROSS JOIN sessions AS s
      WHERE s.id IN (SELECT id FROM sessions WHERE project_key = asked.value AND id IS NOT ?${agent.text}
        ORDER BY started_at DESC, id DESC LIMIT ?)
      ORDER BY s.started_at DESC, s.id DESC LIMIT ?`,
    args: [JSON.stringify(keys), exceptId ?? null, ...agent.args, limit, limit],
  };
}

/** The sessions among these that belong to another project now. */
export async function sessionsOfOtherProjects(
  sql: Sql,
  view: ProjectView,
  ids: readonly string[],
  exceptId: string | undefined,
): Promise<PastSession[]> {
  const agent = agentClause(view.filter, "agent_id");
  return sql.all<PastSession>(
    `SELECT ${pastSessionColumns} FROM sessions AS s
     WHERE id IN (SELECT value FROM json_each(?)) AND project_key NOT IN (SELECT value FROM json_each(?))
       AND id IS NOT ?${agent.text}`,
    [JSON.stringify(ids), JSON.stringify(view.keys), exceptId ?? null, ...agent.args],
  );
}

/** The number of sessions of a project. */
export function countSessions(sql: Sql, view: ProjectView, exceptId: string | undefined): Promise<number> {
  const agent = agentClause(view.filter, "agent_id");
  return firstNumber(
    sql,
    `SELECT count(*) FROM sessions
     WHERE project_key IN (SELECT value FROM json_each(?)) AND id IS NOT ?${agent.text}`,
    [JSON.stringify(view.keys), exceptId ?? null, ...agent.args],
  );
}

/** The fields of a session that change whenever anything in it does. */
export interface SessionState {
  readonly id: string;
  readonly observationCount: number;
  readonly updatedAt: number;
}

/** The newest sessions of a project, or of all projects. */
export async function sessionStates(
  sql: Sql,
  { keys, filter }: View,
  limit: number,
): Promise<SessionState[]> {
  const columns = "s.id, s.observation_count AS observationCount, s.updated_at AS updatedAt";
  if (keys !== undefined) {
    const newest = newestOfProject(columns, { keys, filter }, limit);
    return sql.all<SessionState>(newest.text, newest.args);
  }
  const agent = agentClause(filter, "agent_id");
  return sql.all<SessionState>(
    `SELECT ${columns} FROM sessions AS s WHERE true${agent.text} ORDER BY started_at DESC, id DESC LIMIT ?`,
    [...agent.args, limit],
  );
}

/** A project with sessions, by agent where agents are isolated. */
interface ActiveProject {
  readonly projectKey: string;
  /** The name that the newest session gave. */
  readonly project: string;
  readonly agentId: string | null;
  readonly lastActiveAt: number;
}

/**
 * Projects with sessions, the most recently active first. With `perAgent` separately for each agent, without
 * sessions that have none.
 */
export async function activeProjects(
  sql: Sql,
  { perAgent, ...view }: View & { readonly perAgent: boolean },
  limit: number,
): Promise<ActiveProject[]> {
  const seen = viewClause(view, "sessions");
  const [columns, orphans, apart] = perAgent
    ? ["agent_id", " AND agent_id IS NOT NULL", ", agent_id"]
    : ["NULL", "", ""];
  return sql.all<ActiveProject>(
    `SELECT project_key AS projectKey, project, ${columns} AS agentId, max(updated_at) AS lastActiveAt
     FROM sessions WHERE true${seen.text}${orphans} GROUP BY project_key${apart}
     ORDER BY lastActiveAt DESC, project_key${apart} LIMIT ?`,
    [...seen.args, limit],
  );
}

/** The ids among these of sessions that exist. */
export async function existingSessions(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const query = "SELECT id FROM sessions WHERE id IN (SELECT value FROM json_each(?))";
  return new Set(await firstColumn(sql, query, [JSON.stringify(ids)]));
}
