import { sessionsOfNamed } from "../../capture/sessions/agents-of-sessions.ts";
import type { Sql } from "../../store/sql.ts";
import type { DocumentStream } from "./streams.ts";

/**
 * The hits of streams in sessions that have a tag, or belong to an agent of that name; all hits if there is no tag.
 */
export async function hitsOfTagged(
  sql: Sql,
  streams: readonly DocumentStream[],
  tag: string | undefined,
): Promise<readonly DocumentStream[]> {
  if (tag === undefined) return streams;
  const sessions = new Set(await sessionsOfNamed(sql, tag));
  return streams.map((stream) => ({
    ...stream,
    hits: stream.hits.filter(({ sessionId }) => sessionId !== null && sessions.has(sessionId)),
  }));
}
