import { groupPairs } from "../../../group-by.ts";
import { textsIn } from "../../../store/json-columns.ts";
import { firstColumn, hasRow, type Sql, type SqlValue } from "../../../store/sql.ts";
import { type AgentFilter, agentClause } from "../../sessions/agent-scope.ts";
import type { ProjectView } from "../../sessions/view.ts";
import { type RanCommand, type RanRow, ranColumn, ranCommand } from "../commands/ran-command.ts";

/*
 * Reads of the observations of known sessions, for recall. A session may have a hundred thousand
 * observations, so every statement looks only at the newest of each session, by the index on session and
 * time.
 */

/**
 * Measured: 200 whole traces of each of 50 sessions take 30 to 100 ms; the best of 1,000 of each of 20 take
 * 15 ms.
 */
const tracesPerSession = 200;
export const newestPerSession = 1_000;

/** How many observations before an event its prompt is searched in. */
const farthestPrompt = 300;
/** Prompts that say next to nothing, or that the user did not write, have a lower importance. */
const promptImportance = 6;

/** More than one: the last may only be a yes to what the agent proposed. */
const promptsTold = 4;

/** For each observation the user's prompts before it, the last first, if they are near. */
export async function promptsBefore(sql: Sql, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.all<{ id: string; asked: string }>(
    `SELECT done.id AS id, (SELECT json_group_array(narrative) FROM (SELECT narrative FROM
       (SELECT narrative, hook_type, importance, timestamp, seq FROM observations
        WHERE session_id = done.session_id AND timestamp <= done.timestamp
        ORDER BY timestamp DESC, seq DESC LIMIT ${farthestPrompt})
       WHERE hook_type = 'prompt_submit' AND importance >= ${promptImportance}
       ORDER BY timestamp DESC, seq DESC LIMIT ${promptsTold})) AS asked
     FROM json_each(?) AS wanted CROSS JOIN observations AS done ON done.id = wanted.value`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, asked }) => [id, textsIn(asked)]));
}

export interface Trace extends RanCommand {
  readonly sessionId: string;
  readonly timestamp: number;
  readonly hookType: string;
  readonly type: string;
  readonly title: string;
  readonly importance: number;
  readonly concepts: readonly string[];
  readonly files: readonly string[];
}

/** Traces of the newest observations of each session in a project. */
export async function tracesOf(sql: Sql, sessionIds: readonly string[], view: ProjectView): Promise<Trace[]> {
  const newest = newestOfEach(sessionIds, view);
  const rows = await sql.all<RanRow<Trace, "concepts" | "files">>(
    `SELECT session_id AS sessionId, timestamp, hook_type AS hookType, type, title, compression, importance,
       concepts, files, ${ranColumn} ${newest.text}`,
    newest.args,
  );
  return rows.map(({ compression, ran, concepts, files, ...row }) => ({
    ...row,
    concepts: textsIn(concepts),
    files: textsIn(files),
    ...ranCommand({ ...row, compression, ran }),
  }));
}

/** The concepts of the same observations, by session. */
export async function conceptsOf(
  sql: Sql,
  sessionIds: readonly string[],
  view: ProjectView,
): Promise<Map<string, string[]>> {
  const newest = newestOfEach(sessionIds, view);
  const rows = await sql.values(
    `SELECT session_id, concepts ${newest.text} AND concepts <> '[]'`,
    newest.args,
  );
  return groupPairs(
    rows.flatMap(([session, texts]) =>
      textsIn(String(texts)).map((concept) => [String(session), concept] as const),
    ),
  );
}

/** The end of a statement that selects the newest observations of each session in a project. */
function newestOfEach(
  sessionIds: readonly string[],
  { keys, filter }: ProjectView,
): { text: string; args: SqlValue[] } {
  const agent = agentClause(filter, "agent_id");
  return {
    text: `FROM (SELECT value AS session FROM json_each(?)) AS asked CROSS JOIN observations
     WHERE seq IN (SELECT seq FROM observations WHERE session_id = asked.session
         AND project_key IN (SELECT value FROM json_each(?))
       ORDER BY timestamp DESC, seq DESC LIMIT ${tracesPerSession})${agent.text}`,
    args: [JSON.stringify(sessionIds), JSON.stringify(keys), ...agent.args],
  };
}

export interface Highlight {
  readonly sessionId: string;
  readonly type: string;
  readonly title: string;
  readonly channel: string;
}

/** The most important observations of each session; among equally important ones the newest first. */
export async function highlightsOf(
  sql: Sql,
  sessionIds: readonly string[],
  filter: AgentFilter,
  atLeast: { readonly importance: number; readonly perSession: number },
): Promise<Highlight[]> {
  const agent = agentClause(filter, "agent_id");
  return sql.all<Highlight>(
    `WITH asked(session) AS (SELECT value FROM json_each(?))
     SELECT session_id AS sessionId, type, title, channel
     FROM asked CROSS JOIN observations
     WHERE seq IN (SELECT seq FROM
       (SELECT seq, importance, timestamp, agent_id FROM observations WHERE session_id = asked.session
        ORDER BY timestamp DESC, seq DESC LIMIT ${newestPerSession})
       WHERE importance >= ?${agent.text} ORDER BY importance DESC, timestamp DESC, seq DESC LIMIT ?)
     ORDER BY importance DESC, timestamp DESC, seq DESC`,
    [JSON.stringify(sessionIds), atLeast.importance, ...agent.args, atLeast.perSession],
  );
}

/** When something was last done in each session; its start and its end, which may be days later, do not count. */
export async function lastWorkIn(sql: Sql, sessionIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql.all<{ session: string; at: number | null }>(
    `SELECT value AS session, (SELECT timestamp FROM observations WHERE session_id = value
         AND hook_type NOT IN ('session_start', 'session_end')
       ORDER BY timestamp DESC, seq DESC LIMIT 1) AS at FROM json_each(?)`,
    [JSON.stringify(sessionIds)],
  );
  return new Map(rows.flatMap(({ session, at }) => (at === null ? [] : [[session, at] as const])));
}

/** The files that a session touched recently, in their stored form. */
export async function filesTouchedIn(sql: Sql, sessionId: string): Promise<string[]> {
  return firstColumn(
    sql,
    `SELECT DISTINCT value FROM
       (SELECT files FROM observations WHERE session_id = ? ORDER BY timestamp DESC, seq DESC LIMIT ${newestPerSession}),
       json_each(files)`,
    [sessionId],
  );
}

/**
 * Whether any event of a session had arrived at a time. Only the earliest events are looked at, since events
 * arrive roughly in order.
 */
export function hadArrivals(sql: Sql, sessionId: string, atLatest: number): Promise<boolean> {
  return hasRow(
    sql,
    `SELECT 1 FROM observations WHERE received_at <= ? AND seq IN
       (SELECT seq FROM observations WHERE session_id = ? ORDER BY timestamp, seq LIMIT 100) LIMIT 1`,
    [atLatest, sessionId],
  );
}
