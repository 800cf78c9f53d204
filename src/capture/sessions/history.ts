import { partReader, type Read } from "../../store/row-reader.ts";
import { firstColumn, firstNumber, type Sql, type SqlValue } from "../../store/sql.ts";
import { agentClause } from "./agent-scope.ts";
import { sessions } from "./tables.ts";
import { type ProjectView, type View, viewClause } from "./view.ts";

/*
 * Reads of the sessions of a project, for recall. Every statement is bounded: it uses the index of the
 * project and reads no observation.
 */

const past = partReader(sessions, [
  ...(["id", "startedAt", "endedAt", "updatedAt", "summary", "firstPrompt", "agentId"] as const),
]);
export type PastSession = Read<typeof past>;

/** The newest sessions of a project, without the one that asks. */
export async function newestSessions(
  sql: Sql,
  view: ProjectView,
  limit: number,
  exceptId: string | undefined,
): Promise<PastSession[]> {
  const newest = newestOfProject(past.columns, view, limit, exceptId);
  return past.rows(sql, newest.text, newest.args);
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
  return past.rows(
    sql,
    `SELECT ${past.columns} FROM sessions
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

const state = partReader(sessions, ["id", "observationCount", "updatedAt"]);
/** The fields of a session that change whenever anything in it does. */
export type SessionState = Read<typeof state>;

/** The newest sessions of a project, or of all projects. */
export async function sessionStates(
  sql: Sql,
  { keys, filter }: View,
  limit: number,
): Promise<SessionState[]> {
  if (keys !== undefined) {
    const newest = newestOfProject(state.columns, { keys, filter }, limit);
    return state.rows(sql, newest.text, newest.args);
  }
  const agent = agentClause(filter, "agent_id");
  return state.rows(
    sql,
    `SELECT ${state.columns} FROM sessions WHERE true${agent.text} ORDER BY started_at DESC, id DESC LIMIT ?`,
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
