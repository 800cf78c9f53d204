import { groupBy } from "../../../group-by.ts";
import type { Sql, SqlValue } from "../../../store/sql.ts";
import { type AgentFilter, agentClause } from "../../sessions/agent-scope.ts";
import { lastPlanOf, tellsPlan } from "../calls/told-plan.ts";
import { isFileChangeSql } from "../calls/tool-kind.ts";
import { onlyHandsOn } from "../commands/command-kind.ts";
import { isAnswerSql } from "../prose/agent-answer.ts";

/* The last answers, prompts and plans of sessions. */

/**
 * How many of a session's last observations are searched: for three sessions that takes 2 ms; with a thousand
 * each 5 ms.
 */
const nearTheEnd = 400;

/**
 * How many observations after an answer are looked at to find whether work followed it. Commands come last,
 * because many only look at something; of these the important ones (builds, tests, commits) come first.
 */
const workLookedAt = 20;

/** Something that was said in a session. */
export interface Statement {
  /** Id of the observation. */
  readonly id: string;
  /** Milliseconds. */
  readonly at: number;
}

export interface Answer extends Statement {
  readonly narrative: string;
  /** Whether the session changed or ran anything afterwards. */
  readonly hasWorkAfter: boolean;
}

/** The agent's last answers in each session, up to three, in the order of time. */
export async function lastAnswersOf(
  sql: Sql,
  sessionIds: readonly string[],
  filter: AgentFilter,
): Promise<Map<string, Answer[]>> {
  const rows = await lastOfEach(sql, sessionIds, filter, {
    where: isAnswerSql,
    most: 3,
    columns: `id, timestamp, narrative, (SELECT json_group_array(CASE type WHEN 'command_run' THEN title END) FROM
       (SELECT type, title FROM observations AS later
        WHERE later.session_id = asked.session AND later.timestamp >= observations.timestamp
          AND (later.timestamp > observations.timestamp OR later.seq > observations.seq)
          AND later.tool_name IS NOT NULL AND later.type NOT IN ('file_read', 'search', 'web_fetch')
        ORDER BY later.type = 'command_run', later.importance DESC, later.timestamp, later.seq LIMIT ${workLookedAt}))`,
  });
  return grouped(rows, ([id, at, narrative, work]) => ({
    id: String(id),
    at: Number(at),
    narrative: String(narrative),
    // The statement above wrote it.
    hasWorkAfter: (JSON.parse(String(work)) as (string | null)[]).some(
      (command) => command === null || !onlyHandsOn(command),
    ),
  }));
}

/** The titles of last prompts that no answer followed. */
export async function unansweredPromptsOf(
  sql: Sql,
  sessionIds: readonly string[],
  filter: AgentFilter,
): Promise<Map<string, string>> {
  const rows = await lastOfEach(sql, sessionIds, filter, {
    where: `(hook_type = 'prompt_submit' OR ${isAnswerSql})`,
    most: 1,
    columns: "title, hook_type",
  });
  const prompts = rows.filter(([, , hookType]) => hookType === "prompt_submit");
  return new Map(prompts.map(([session, title]) => [String(session), String(title)]));
}

export interface Prompt extends Statement {
  readonly narrative: string;
}

/** The last prompts in each session, up to thirty, in the order of time. */
export async function lastPromptsOf(
  sql: Sql,
  sessionIds: readonly string[],
  filter: AgentFilter,
): Promise<Map<string, Prompt[]>> {
  const rows = await lastOfEach(sql, sessionIds, filter, {
    where: "hook_type = 'prompt_submit'",
    most: 30,
    columns: "id, timestamp, narrative",
  });
  return grouped(rows, ([id, at, narrative]) => ({
    id: String(id),
    at: Number(at),
    narrative: String(narrative),
  }));
}

export interface Plan extends Statement {
  readonly text: string;
}

/** The last plan of each session. */
export async function lastPlansOf(
  sql: Sql,
  sessionIds: readonly string[],
  filter: AgentFilter,
): Promise<Map<string, Plan>> {
  // Plans and their steps are changes without files; there are few others.
  const written = await lastOfEach(sql, sessionIds, filter, {
    where: `${isFileChangeSql} AND files = '[]'`,
    most: 100,
    columns: "id, timestamp, narrative",
  });
  const plans = new Map<string, Plan>();
  const bySession = grouped(written, ([id, at, narrative]) => ({
    id: String(id),
    at: Number(at),
    text: String(narrative),
  }));
  for (const [session, texts] of bySession) {
    const last = texts.findLast(({ text }) => tellsPlan(text));
    const plan = lastPlanOf(texts.map(({ text }) => text));
    if (last !== undefined && plan !== undefined) plans.set(session, { ...last, text: plan });
  }
  return plans;
}

function lastOfEach(
  sql: Sql,
  sessionIds: readonly string[],
  filter: AgentFilter,
  {
    where,
    most,
    columns,
  }: {
    readonly where: string;
    readonly most: number;
    readonly columns: string;
  },
): Promise<SqlValue[][]> {
  const agent = agentClause(filter, "agent_id");
  return sql.values(
    `WITH asked(session) AS (SELECT value FROM json_each(?))
     SELECT session_id, ${columns} FROM asked CROSS JOIN observations
     WHERE seq IN (SELECT seq FROM
       (SELECT seq, hook_type, type, files, timestamp, agent_id FROM observations WHERE session_id = asked.session
        ORDER BY timestamp DESC, seq DESC LIMIT ${nearTheEnd})
       WHERE ${where}${agent.text} ORDER BY timestamp DESC, seq DESC LIMIT ${most})
     ORDER BY timestamp, seq`,
    [JSON.stringify(sessionIds), ...agent.args],
  );
}

function grouped<One>(
  rows: readonly SqlValue[][],
  oneOf: (columns: readonly SqlValue[]) => One,
): Map<string, One[]> {
  const bySession = groupBy(rows, ([session]) => String(session));
  return new Map([...bySession].map(([id, own]) => [id, own.map(([, ...columns]) => oneOf(columns))]));
}
