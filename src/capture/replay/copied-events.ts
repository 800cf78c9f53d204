import type { Sql } from "../../store/sql.ts";
import { eventsWhere, identityOf, retoldIdentity } from "../observations/event-identity.ts";
import type { PreparedEvent } from "../observations/prepare-event.ts";

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
