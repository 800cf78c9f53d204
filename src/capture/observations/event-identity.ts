import { isObject } from "../../json/is-object.ts";
import type { Sql } from "../../store/sql.ts";
import { minuteMs } from "../../time/durations.ts";
import type { Event } from "./pick-up-fields.ts";
import { compressByRules } from "./rules/compress.ts";
import { wholeEvent } from "./stored-event.ts";

/*
 * An event is reported twice: by a hook when it happens, and later by the transcript of its session. The
 * rules compress it to the same observation both times, so that is its identity. If a model has compressed
 * the stored one, the rules are applied again to its raw event.
 */

/**
 * How far apart the two reports may be: a hook has the time when it ran, a transcript when the line was
 * written.
 */
export const largestTimeGapMs = minuteMs;

interface Told {
  readonly hookType: string;
  readonly toolName?: string | null | undefined;
  readonly subtitle?: string | null | undefined;
  readonly narrative: string;
}

/** Includes input and outcome, so that two calls that merely begin alike are different events. */
export function identityOf({ hookType, toolName = null, subtitle = null, narrative }: Told): string {
  return JSON.stringify([hookType, toolName, subtitle, narrative]);
}

/** A stored observation, with what a transcript recognises it by. */
export interface KnownEvent {
  readonly id: string;
  readonly timestamp: number;
  readonly projectKey: string;
  readonly isImported: boolean;
  readonly contentHash: string;
  readonly identity: string;
  /** Whether the identity was made from the stored event, because a model has compressed it. */
  readonly isRetold: boolean;
}

interface Row {
  readonly id: string;
  readonly timestamp: number;
  readonly projectKey: string;
  readonly hookType: string;
  readonly toolName: string | null;
  readonly subtitle: string | null;
  readonly narrative: string;
  readonly channel: string;
  readonly contentHash: string;
  /** The raw event; set for observations that a model compressed. */
  readonly event: string | null;
}

interface Condition {
  /** SQL. */
  readonly text: string;
  readonly args: readonly (string | number)[];
}

/** Observations of a session, oldest first; `where` is a further condition. */
export async function knownEvents(sql: Sql, sessionId: string, where: Condition): Promise<KnownEvent[]> {
  return eventsWhere(sql, { text: `session_id = ? AND ${where.text}`, args: [sessionId, ...where.args] });
}

/** Observations, oldest first. */
export async function eventsWhere(sql: Sql, where: Condition): Promise<KnownEvent[]> {
  const rows = await sql.all<Row>(
    `SELECT id, timestamp, project_key AS projectKey, hook_type AS hookType, tool_name AS toolName, subtitle, narrative,
       channel, content_hash AS contentHash,
       iif(compression = 'llm', (SELECT ${wholeEvent} FROM raw_events WHERE observation_id = observations.id), NULL) AS event
     FROM observations WHERE ${where.text} ORDER BY timestamp, seq`,
    where.args,
  );
  return rows.map((row) => ({
    id: row.id,
    timestamp: row.timestamp,
    projectKey: row.projectKey,
    isImported: row.channel === "import",
    contentHash: row.contentHash,
    identity: row.event === null ? identityOf(row) : retoldIdentity({ ...row, data: dataOf(row.event) }),
    isRetold: row.event !== null,
  }));
}

function dataOf(event: string): unknown {
  const raw: unknown = JSON.parse(event);
  return isObject(raw) ? raw.data : raw;
}

/**
 * The identity of an event by its stored data alone: without the end of a long output, which is not stored, and without
 * its folder.
 */
export function retoldIdentity({
  hookType,
  timestamp,
  data,
}: Pick<Event, "hookType" | "timestamp" | "data">): string {
  const event = { hookType, sessionId: "", project: "", cwd: "/", timestamp, data };
  return identityOf({ hookType, ...compressByRules(event) });
}
