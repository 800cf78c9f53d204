import { textsIn, type WithJson } from "../../store/json-columns.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import { type AgentFilter, agentClause } from "../sessions/agent-scope.ts";
import type { ProjectView } from "../sessions/history.ts";

/*
 * What the recall side asks about the observations of known sessions. A session may hold a hundred thousand of
 * them, so every statement looks at the newest of each session only, by the index on session and time.
 */

/** By measurement: 200 whole traces of each of 50 sessions take 30 to 100 ms, the best of 1,000 of each of 20 15 ms. */
const tracesPerSession = 200;
const newestPerSession = 1_000;
const callBegin = "pre_tool_use";

/** Whether a tool call was made, as far as one knows: its begin alone may have been refused, or have failed. */
export function isCarriedOut({ hookType }: { readonly hookType: string }): boolean {
  return hookType !== callBegin;
}

/** Those among observations that tell no more than that a tool call begins. */
export async function begunOnly(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql.values(
    `SELECT begun.id FROM json_each(?) AS asked CROSS JOIN observations AS begun ON begun.id = asked.value
     WHERE begun.hook_type = '${callBegin}'`,
    [JSON.stringify(ids)],
  );
  return new Set(rows.map(([id]) => String(id)));
}

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

export interface Trace {
  readonly sessionId: string;
  readonly timestamp: number;
  readonly hookType: string;
  readonly type: string;
  readonly title: string;
  readonly importance: number;
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  /** What was run, where it is known. */
  readonly command: string | undefined;
  /** Whether the command ended with another exit code than 0. */
  readonly hasFailed: boolean;
}

type TraceRow = Omit<WithJson<Trace, "concepts" | "files">, keyof Command> & Ran;

/** What the newest observations of each session in a project were about. */
export async function tracesOf(
  sql: Sql,
  sessionIds: readonly string[],
  { keys, filter }: ProjectView,
): Promise<Trace[]> {
  const agent = agentClause(filter, "agent_id");
  const rows = await sql.all<TraceRow>(
    `WITH asked(session) AS (SELECT value FROM json_each(?))
     SELECT session_id AS sessionId, timestamp, hook_type AS hookType, type, title, compression, importance,
       concepts, files, ${ranOf} AS ran
     FROM asked CROSS JOIN observations
     WHERE seq IN (SELECT seq FROM observations WHERE session_id = asked.session
         AND project_key IN (SELECT value FROM json_each(?))
       ORDER BY timestamp DESC, seq DESC LIMIT ${tracesPerSession})${agent.text}`,
    [JSON.stringify(sessionIds), JSON.stringify(keys), ...agent.args],
  );
  return rows.map(({ compression, ran, concepts, files, ...row }) => ({
    ...row,
    concepts: textsIn(concepts),
    files: textsIn(files),
    ...(compression === "synthetic" ? commandIn(row) : commandOf(ran)),
  }));
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

export interface Work {
  readonly id: string;
  readonly sessionId: string;
  readonly type: string;
  readonly title: string;
  readonly toolName: string | null;
  /** Of commands none: they are not asked for. */
  readonly files: readonly string[];
  /** What was run, where it is known. */
  readonly command: string | undefined;
  /** Whether the command ended with another exit code than 0. */
  readonly hasFailed: boolean;
}

interface WorkRow extends Omit<Work, "files" | keyof Command>, Ran {
  readonly files: string;
}

interface Ran {
  readonly compression: string;
  /** Command and exit code as the event itself has them, for what a model has put in its own words. */
  readonly ran: string | null;
}

const ranOf = `CASE WHEN compression = 'llm' AND type = 'command_run' THEN
  (SELECT json_object('command', json_extract(event, '$.toolInput.command'), 'exitCode',
    coalesce(json_extract(event, '$.toolOutput.exitCode'), json_extract(event, '$.toolOutput.exit_code')))
   FROM raw_events WHERE observation_id = observations.id) END`;

const failureSuffix = /\s*\(exit -?\d+\)$/u;

/** What was changed, run and went wrong in the newest of each session, in the order of time: not what was only begun. */
export async function workOf(sql: Sql, sessionIds: readonly string[]): Promise<Work[]> {
  const rows = await sql.all<WorkRow>(
    `WITH asked(session) AS (SELECT value FROM json_each(?))
     SELECT id, session_id AS sessionId, type, title, compression, tool_name AS toolName,
       CASE type WHEN 'command_run' THEN '[]' ELSE files END AS files,
       ${ranOf} AS ran
     FROM asked CROSS JOIN observations
     WHERE seq IN (SELECT seq FROM observations WHERE session_id = asked.session
       ORDER BY timestamp DESC, seq DESC LIMIT ${newestPerSession})
       AND type IN ('file_edit', 'file_write', 'command_run', 'error') AND hook_type <> '${callBegin}'
     ORDER BY session_id, timestamp, seq`,
    [JSON.stringify(sessionIds)],
  );
  return rows.map(({ compression, ran, files, ...row }) => ({
    ...row,
    files: files === "[]" ? [] : textsIn(files),
    ...(compression === "synthetic" ? commandIn(row) : commandOf(ran)),
  }));
}

type Command = Pick<Work, "command" | "hasFailed">;

/** Of a command that rules compressed, the title is its first line, with the exit code behind it when it failed. */
function commandIn({ type, title }: Pick<Work, "type" | "title">): Command {
  if (type !== "command_run") return { command: undefined, hasFailed: false };
  return { command: title.replace(failureSuffix, ""), hasFailed: failureSuffix.test(title) };
}

/** A model's titles do not tell the command, so it is read from the event itself. */
function commandOf(ran: string | null): Command {
  if (ran === null) return { command: undefined, hasFailed: false };
  // Written by the statement above.
  const { command, exitCode } = JSON.parse(ran) as { command: unknown; exitCode: unknown };
  return {
    command: typeof command === "string" ? command : undefined,
    hasFailed: exitCode !== null && Number(exitCode) !== 0,
  };
}

/** The files that a session touched lately, as stored. */
export async function filesTouchedIn(sql: Sql, sessionId: string): Promise<string[]> {
  const rows = await sql.all<{ value: string }>(
    `SELECT DISTINCT value FROM
       (SELECT files FROM observations WHERE session_id = ? ORDER BY timestamp DESC, seq DESC LIMIT ${newestPerSession}),
       json_each(files)`,
    [sessionId],
  );
  return rows.map(({ value }) => value);
}

/** The newest of a session's observations that a summary is made of. */
const happeningsPerSession = 5_000;

export interface Happening {
  readonly type: string;
  readonly hookType: string;
  readonly title: string;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  readonly importance: number;
  readonly toolName: string | null;
}

type HappeningRow = WithJson<Happening, "facts" | "concepts" | "files"> & { readonly seq: number };

/** What is known of a session at a time. */
export interface SessionReading {
  /** In the order of time. */
  readonly happenings: readonly Happening[];
  /** Row number of the newest arrival. */
  readonly newest: number;
  /** Observations up to that one, read or not. */
  readonly stored: number;
}

export async function happeningsOf(sql: Sql, sessionId: string): Promise<SessionReading> {
  const rows = await sql.all<HappeningRow>(
    `SELECT seq, type, hook_type AS hookType, title, narrative, facts, concepts, files, importance, tool_name AS toolName
     FROM observations WHERE session_id = ? ORDER BY timestamp DESC, seq DESC LIMIT ${happeningsPerSession}`,
    [sessionId],
  );
  const happenings = rows.reverse().map(({ seq: _seq, ...row }) => ({
    ...row,
    facts: textsIn(row.facts),
    concepts: textsIn(row.concepts),
    files: textsIn(row.files),
  }));
  const newest = rows.reduce((highest, { seq }) => Math.max(highest, seq), 0);
  return { happenings, newest, stored: await storedUpTo(sql, sessionId, newest) };
}

/** Whether everything that a reading saw is still there; what came since is no change of it. */
export async function isUnchanged(sql: Sql, sessionId: string, reading: SessionReading): Promise<boolean> {
  return (await storedUpTo(sql, sessionId, reading.newest)) === reading.stored;
}

async function storedUpTo(sql: Sql, sessionId: string, newest: number): Promise<number> {
  const row = await firstRow<{ n: number }>(
    sql,
    "SELECT count(*) AS n FROM observations WHERE session_id = ? AND seq <= ?",
    [sessionId, newest],
  );
  return row?.n ?? 0;
}

/** Whether anything of a session had arrived at a time. The earliest events tell: they arrive about in order. */
export async function hadArrivals(sql: Sql, sessionId: string, atLatest: number): Promise<boolean> {
  const row = await firstRow(
    sql,
    `SELECT 1 FROM observations WHERE received_at <= ? AND seq IN
       (SELECT seq FROM observations WHERE session_id = ? ORDER BY timestamp, seq LIMIT 100) LIMIT 1`,
    [atLatest, sessionId],
  );
  return row !== undefined;
}

/*
 * What it asks about the observations of a project, wherever their sessions have gone since.
 */

/** So far back a session that has gone on to another project is looked for. */
const newestPerProject = 1_000;

/** The sessions in which the newest observations of a project were made. */
export async function sessionsSeenIn(sql: Sql, { keys, filter }: ProjectView): Promise<string[]> {
  const agent = agentClause(filter, "agent_id");
  const found = await Promise.all(
    keys.map((key) =>
      sql.values(
        `SELECT DISTINCT session_id FROM (SELECT session_id, agent_id FROM observations WHERE project_key = ?
           ORDER BY timestamp DESC LIMIT ${newestPerProject}) WHERE true${agent.text}`,
        [key, ...agent.args],
      ),
    ),
  );
  return [...new Set(found.flat().map(([id]) => String(id)))];
}

/** Those among sessions whose first observation is of another project. */
export async function begunElsewhere(
  sql: Sql,
  keys: readonly string[],
  sessionIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.values(
    `SELECT value FROM json_each(?1) AS asked
     WHERE (SELECT project_key FROM observations WHERE session_id = asked.value ORDER BY timestamp, seq LIMIT 1)
       NOT IN (SELECT value FROM json_each(?2))`,
    [JSON.stringify(sessionIds), JSON.stringify(keys)],
  );
  return new Set(rows.map(([id]) => String(id)));
}

/** How many observations a project has, without those of one session. Of everybody's, the index alone is read. */
export async function countInProject(
  sql: Sql,
  { keys, filter }: ProjectView,
  exceptSession: string | undefined,
): Promise<number> {
  const agent = agentClause(filter, "agent_id");
  const counted = `SELECT count(*) AS n FROM observations
    WHERE project_key IN (SELECT value FROM json_each(?))${agent.text}`;
  const args = [JSON.stringify(keys), ...agent.args];
  const all = await firstRow<{ n: number }>(sql, counted, args);
  if (exceptSession === undefined) return all?.n ?? 0;
  const own = await firstRow<{ n: number }>(sql, `${counted} AND session_id = ?`, [...args, exceptSession]);
  return (all?.n ?? 0) - (own?.n ?? 0);
}
