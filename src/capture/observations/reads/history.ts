import { textsIn } from "../../../store/json-columns.ts";
import { firstRow, type Sql, type SqlValue } from "../../../store/sql.ts";
import { type AgentFilter, agentClause } from "../../sessions/agent-scope.ts";
import type { ProjectView } from "../../sessions/view.ts";
import { onlyObserves } from "../rules/command-kind.ts";
import { labelledFact } from "../rules/fact-labels.ts";
import { isPlan, planTypes } from "../rules/plan.ts";
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

/** What is said last stands among so many: three sessions' worth takes 2 ms, of a thousand each 5. */
const nearTheEnd = 400;

/**
 * So much of what was worked on after an answer tells whether anything was; commands, many of which only look, come last,
 * and of them those that build, test or commit first.
 */
const workLookedAt = 20;

export interface Answer {
  readonly narrative: string;
  /** Whether the session went on to change or run anything afterwards. */
  readonly hasWorkAfter: boolean;
}

/** What the agent said last in each session: up to three answers, in the order of time. */
export async function lastAnswersOf(
  sql: Sql,
  sessionIds: readonly string[],
  filter: AgentFilter,
): Promise<Map<string, Answer[]>> {
  const rows = await lastOfEach(sql, sessionIds, filter, {
    where: "hook_type = 'stop' AND type = 'conversation'",
    most: 3,
    columns: `narrative, (SELECT json_group_array(CASE type WHEN 'command_run' THEN title END) FROM
       (SELECT type, title FROM observations AS later
        WHERE later.session_id = asked.session AND later.timestamp >= observations.timestamp
          AND (later.timestamp > observations.timestamp OR later.seq > observations.seq)
          AND later.tool_name IS NOT NULL AND later.type NOT IN ('file_read', 'search', 'web_fetch')
        ORDER BY later.type = 'command_run', later.importance DESC, later.timestamp, later.seq LIMIT ${workLookedAt}))`,
  });
  return grouped(rows, ([narrative, work]) => ({
    narrative: String(narrative),
    // Written by the statement above.
    hasWorkAfter: (JSON.parse(String(work)) as (string | null)[]).some(
      (command) => command === null || !onlyObserves(command),
    ),
  }));
}

/** The newest prompts of each session of which the rules noted that they state a preference, in the order of time. */
export async function preferringPromptsOf(
  sql: Sql,
  sessionIds: readonly string[],
  filter: AgentFilter,
): Promise<Map<string, string[]>> {
  const rows = await lastOfEach(sql, sessionIds, filter, {
    where: `hook_type = 'prompt_submit' AND instr(facts, '"${labelledFact("preference", "")}') > 0`,
    // Most are said at a session's beginning.
    among: newestPerSession,
    most: 5,
    columns: "narrative",
  });
  return grouped(rows, ([narrative]) => String(narrative));
}

/** The last plan that was made in each session, as it is told. */
export async function lastPlansOf(
  sql: Sql,
  sessionIds: readonly string[],
  filter: AgentFilter,
): Promise<Map<string, string>> {
  const types = [...planTypes].map((type) => `'${type}'`).join(", ");
  // Plans are among what is written without a file; what else is, is little.
  const written = await lastOfEach(sql, sessionIds, filter, {
    where: `type IN (${types}) AND files = '[]'`,
    most: 5,
    columns: "narrative",
  });
  const plans = new Map<string, string>();
  for (const [session, narratives] of grouped(written, ([narrative]) => String(narrative))) {
    const plan = narratives.findLast(isPlan);
    if (plan !== undefined) plans.set(session, plan);
  }
  return plans;
}

function lastOfEach(
  sql: Sql,
  sessionIds: readonly string[],
  filter: AgentFilter,
  {
    where,
    among = nearTheEnd,
    most,
    columns,
  }: {
    readonly where: string;
    readonly among?: number;
    readonly most: number;
    readonly columns: string;
  },
): Promise<SqlValue[][]> {
  const agent = agentClause(filter, "agent_id");
  return sql.values(
    `WITH asked(session) AS (SELECT value FROM json_each(?))
     SELECT session_id, ${columns} FROM asked CROSS JOIN observations
     WHERE seq IN (SELECT seq FROM
       (SELECT seq, hook_type, type, files, facts, timestamp, agent_id FROM observations WHERE session_id = asked.session
        ORDER BY timestamp DESC, seq DESC LIMIT ${among})
       WHERE ${where}${agent.text} ORDER BY timestamp DESC, seq DESC LIMIT ${most})
     ORDER BY timestamp, seq`,
    [JSON.stringify(sessionIds), ...agent.args],
  );
}

function grouped<One>(
  rows: readonly SqlValue[][],
  oneOf: (columns: readonly SqlValue[]) => One,
): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const [session, ...columns] of rows)
    groups.set(String(session), [...(groups.get(String(session)) ?? []), oneOf(columns)]);
  return groups;
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
