import { textsIn } from "../../../store/json-columns.ts";
import { firstColumn, hasRow, type Sql, type SqlValue } from "../../../store/sql.ts";
import { type AgentFilter, agentClause } from "../../sessions/agent-scope.ts";
import type { ProjectView } from "../../sessions/view.ts";
import { type RanCommand, type RanRow, ranColumn, ranCommand } from "../rules/ran-command.ts";

/*
 * What the recall side asks about the observations of known sessions. A session may hold a hundred thousand of
 * them, so every statement looks at the newest of each session only, by the index on session and time.
 */

/** By measurement: 200 whole traces of each of 50 sessions take 30 to 100 ms, the best of 1,000 of each of 20 15 ms. */
const tracesPerSession = 200;
export const newestPerSession = 1_000;

/** So far back the prompt of an event is looked for. */
const farthestPrompt = 300;
/** Less has a prompt that says next to nothing, or that an agent put in the user's place. */
const promptImportance = 6;

/** So many: the last may be no more than a yes to what the agent proposed. */
const promptsTold = 4;

/** For each of the observations what the user had asked for when it happened, the last first, where that is near. */
export async function promptsBefore(sql: Sql, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.all<{ id: string; asked: string }>(
    `SELECT done.id AS id, (SELECT json_group_array(title) FROM (SELECT title FROM
       (SELECT title, hook_type, importance, timestamp, seq FROM observations
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

/** What the newest observations of each session in a project were about. */
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
  const concepts = new Map<string, string[]>();
  for (const [session, texts] of rows) {
    const known = concepts.get(String(session)) ?? [];
    known.push(...textsIn(String(texts)));
    concepts.set(String(session), known);
  }
  return concepts;
}

/** The end of a statement about the newest observations of each session in a project. */
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

/** The most important observations of each session, most important first, newest first among equals. */
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

/** The files that a session touched lately, as stored. */
export async function filesTouchedIn(sql: Sql, sessionId: string): Promise<string[]> {
  return firstColumn(
    sql,
    `SELECT DISTINCT value FROM
       (SELECT files FROM observations WHERE session_id = ? ORDER BY timestamp DESC, seq DESC LIMIT ${newestPerSession}),
       json_each(files)`,
    [sessionId],
  );
}

/** Whether anything of a session had arrived at a time. The earliest events tell: they arrive about in order. */
export function hadArrivals(sql: Sql, sessionId: string, atLatest: number): Promise<boolean> {
  return hasRow(
    sql,
    `SELECT 1 FROM observations WHERE received_at <= ? AND seq IN
       (SELECT seq FROM observations WHERE session_id = ? ORDER BY timestamp, seq LIMIT 100) LIMIT 1`,
    [atLatest, sessionId],
  );
}
