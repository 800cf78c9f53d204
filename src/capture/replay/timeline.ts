import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ground } from "../../ground.ts";
import { timeText } from "../../operation/fields.ts";
import type { Sql } from "../../store/sql.ts";
import { pickUpFields } from "../observations/pick-up-fields.ts";
import type { RawEvent } from "../observations/raw-event.ts";
import { ownWords } from "../observations/rules/narrative.ts";
import { wholeEvent } from "../observations/stored-event.ts";
import {
  type AgentFilter,
  type AgentScopes,
  agentClause,
  type ScopeRequest,
} from "../sessions/agent-scope.ts";
import { type Session, sessionRecord } from "../sessions/record.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { ReplayEvent, ReplayKind, Timeline } from "./record.ts";

const mostEvents = 10_000;
/** The most text of events in an answer, which is built in memory as a whole. */
const mostCharacters = 64 * 1024 * 1024;
/** A page of the longest events is a few megabytes. */
const readAtOnce = 50;
const charactersPerSecond = 40;
const shortestMs = 300;
const longestMs = 20_000;

interface Row {
  readonly id: string;
  readonly seq: number;
  readonly timestamp: number;
  readonly title: string;
  readonly hookType: string;
  readonly toolName: string | null;
  readonly event: string | null;
}

interface Services {
  readonly agents: AgentScopes;
  readonly sessions: Sessions;
}

/**
 * The timeline of a session: its events in the order of time, with how long each is to be shown. Error:
 * not_found.
 */
export async function loadTimeline(
  ground: Ground,
  services: Services,
  input: ScopeRequest & { readonly sessionId: string },
): Promise<{ timeline: Timeline; session: Session }> {
  const { read } = ground.store;
  const filter = await services.agents.reader(read.sql, input);
  const session = await services.sessions.visible(read, input.sessionId, filter);
  const events: ReplayEvent[] = [];
  let startedAt = session.startedAt;
  let endedAt: number | undefined;
  let characters = 0;
  let isTruncated = false;
  for await (const row of rowsOf(read.sql, session.id, filter)) {
    characters += row.event?.length ?? 0;
    isTruncated = events.length >= mostEvents || characters > mostCharacters;
    if (isTruncated) break;
    if (endedAt === undefined) startedAt = row.timestamp;
    endedAt = row.timestamp;
    events.push(replayEvent(row, session.id, startedAt));
  }
  return {
    timeline: {
      sessionId: session.id,
      startedAt: timeText(startedAt),
      endedAt: timeText(endedAt ?? startedAt),
      totalDurationMs: (endedAt ?? startedAt) - startedAt,
      eventCount: events.length,
      ...(isTruncated ? { truncated: true } : {}),
      events,
    },
    session: sessionRecord(session),
  };
}

/** Reads rows page by page, so that other work can run in between. */
async function* rowsOf(sql: Sql, sessionId: string, filter: AgentFilter): AsyncGenerator<Row> {
  const agent = agentClause(filter, "agent_id");
  let after: readonly [number, number] = [Number.MIN_SAFE_INTEGER, 0];
  for (;;) {
    const rows = await sql.all<Row>(
      `SELECT id, seq, timestamp, title, hook_type AS hookType, tool_name AS toolName, ${wholeEvent} AS event
       FROM observations LEFT JOIN raw_events ON observation_id = id
       WHERE session_id = ? AND (timestamp, seq) > (?, ?)${agent.text} ORDER BY timestamp, seq LIMIT ${readAtOnce}`,
      [sessionId, ...after, ...agent.args],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < readAtOnce) return;
    after = [last.timestamp, last.seq];
    await nextTurn();
  }
}

function replayEvent(row: Row, sessionId: string, startedAt: number): ReplayEvent {
  // memsvc itself wrote it as a raw event; an imported row may have none.
  const raw: RawEvent =
    row.event === null ? { hookType: row.hookType, data: {} } : (JSON.parse(row.event) as RawEvent);
  const kind = kindOf(row.hookType, raw);
  const body = bodyOf(kind, raw);
  return {
    id: row.id,
    sessionId,
    ts: timeText(row.timestamp),
    offsetMs: row.timestamp - startedAt,
    durationMs: durationOf(body ?? ""),
    kind,
    label: row.title,
    ...(body === undefined || body === "" ? {} : { body }),
    ...(row.toolName === null ? {} : { toolName: row.toolName }),
    ...(raw.toolInput === undefined ? {} : { toolInput: raw.toolInput }),
    ...(raw.toolOutput === undefined ? {} : { toolOutput: raw.toolOutput }),
  };
}

function kindOf(hookType: string, raw: RawEvent): ReplayKind {
  if (hookType === "post_tool_failure" || raw.error !== undefined) return "tool_error";
  switch (hookType) {
    case "prompt_submit":
      return "prompt";
    case "stop":
    case "subagent_stop":
      return "response";
    case "pre_tool_use":
      return "tool_call";
    case "post_tool_use":
      return "tool_result";
    case "session_start":
    case "session_end":
      return hookType;
    default:
      return "hook";
  }
}

function bodyOf(kind: ReplayKind, raw: RawEvent): string | undefined {
  switch (kind) {
    case "prompt":
      return raw.userPrompt;
    case "response":
      return raw.assistantResponse;
    case "tool_error":
      return raw.error;
    case "hook":
      return raw.userPrompt ?? raw.assistantResponse ?? hookText(raw);
    case "tool_call":
    case "tool_result":
    case "session_start":
    case "session_end":
      return undefined;
  }
}

/**
 * The text of a hook that is neither a tool call, nor a prompt, nor an answer: a sub-agent's task, a notice,
 * a task.
 */
function hookText({ hookType, data }: RawEvent): string {
  const event = { hookType, data, sessionId: "", project: "", cwd: "", timestamp: 0 };
  return ownWords({ picked: pickUpFields(event), event });
}

function durationOf(body: string): number {
  const readingMs = Math.round(([...body].length * 1_000) / charactersPerSecond);
  return Math.min(longestMs, Math.max(shortestMs, readingMs));
}
