import { firstColumn, type Sql } from "../../store/sql.ts";
import { eventsWhere, identityOf, largestTimeGapMs, retoldIdentity } from "../observations/event-identity.ts";
import type { PreparedEvent } from "../observations/prepare-event.ts";
import type { TranscriptEvent } from "./transcript-events.ts";

/**
 * The other sessions whose events are not taken from a copy: those whose own transcripts are imported, too, and of
 * copies that have times of their own, so that they cannot be compared with what they copy, those that are stored.
 */
export async function toldElsewhere(
  sql: Sql,
  events: readonly Pick<TranscriptEvent, "copiedFrom" | "isRetimed">[],
  { sessionId, sessionsBeside }: { readonly sessionId: string; readonly sessionsBeside: ReadonlySet<string> },
): Promise<ReadonlySet<string>> {
  const copies = events.flatMap(({ copiedFrom, isRetimed }) =>
    copiedFrom === undefined || copiedFrom === sessionId ? [] : [{ copiedFrom, isRetimed }],
  );
  if (copies.length === 0) return new Set();
  const retimed = copies.filter(({ isRetimed }) => isRetimed).map(({ copiedFrom }) => copiedFrom);
  const stored = await firstColumn(
    sql,
    "SELECT id FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
    [JSON.stringify([...new Set(retimed)])],
  );
  const beside = copies.map(({ copiedFrom }) => copiedFrom).filter((origin) => sessionsBeside.has(origin));
  return new Set([...stored, ...beside]);
}

/**
 * Drops what other transcripts have told: the transcript of a conversation that was forked begins with a copy of the
 * one that it came from, in which the lines keep their times.
 */
export async function withoutCopies(
  sql: Sql,
  sessionId: string,
  prepared: readonly PreparedEvent[],
): Promise<PreparedEvent[]> {
  const times = JSON.stringify(prepared.map(({ event }) => event.timestamp));
  const told = await eventsWhere(sql, {
    text: "timestamp IN (SELECT value FROM json_each(?)) AND channel = 'import' AND session_id <> ?",
    args: [times, sessionId],
  });
  if (told.length === 0) return [...prepared];
  const known = new Set(told.map(({ timestamp, identity }) => atTime(timestamp, identity)));
  const isAnyRetold = told.some(({ isRetold }) => isRetold);
  return prepared.filter(
    ({ event, compressed }) =>
      !known.has(atTime(event.timestamp, identityOf({ ...event, ...compressed }))) &&
      !(isAnyRetold && known.has(atTime(event.timestamp, retoldIdentity(event)))),
  );
}

function atTime(timestamp: number, identity: string): string {
  return `${timestamp} ${identity}`;
}

interface EarlierEvents<Event> {
  /** Those from before the first hook of their session. */
  readonly events: readonly Event[];
  /** The sessions of the project whose hooks were called at that time. */
  readonly sessions: readonly string[];
}

/**
 * The events of a transcript that its session can only have copied, if hooks told of its start: a fork does not always
 * name the conversation that it comes from.
 */
export async function beforeOwnHooks<Event extends { readonly prepared: PreparedEvent }>(
  sql: Sql,
  sessionId: string,
  all: readonly Event[],
): Promise<EarlierEvents<Event>> {
  const [first] = await sql.values(
    "SELECT min(timestamp), min(project_key) FROM observations WHERE session_id = ? AND channel <> 'import'",
    [sessionId],
  );
  const [startedAt, projectKey] = first ?? [];
  if (typeof startedAt !== "number") return { events: [], sessions: [] };
  const events = all.filter(({ prepared }) => prepared.event.timestamp < startedAt);
  if (events.length === 0) return { events, sessions: [] };
  const times = events.map(({ prepared }) => prepared.event.timestamp);
  const sessions = await firstColumn(
    sql,
    `SELECT DISTINCT session_id FROM observations WHERE project_key = ? AND timestamp BETWEEN ? AND ?
       AND session_id <> ? AND channel <> 'import'`,
    [
      String(projectKey),
      Math.min(...times) - largestTimeGapMs,
      Math.max(...times) + largestTimeGapMs,
      sessionId,
    ],
  );
  return { events, sessions };
}
