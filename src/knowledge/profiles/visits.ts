import { begunElsewhere, sessionsSeenIn } from "../../capture/observations/reads/project-history.ts";
import {
  countSessions,
  newestSessions,
  type PastSession,
  sessionsGoneOn,
} from "../../capture/sessions/history.ts";
import type { ProjectView } from "../../capture/sessions/view.ts";
import type { Sql } from "../../store/sql.ts";

/*
 * A session may go on to another project. What was captured in it stays with the project of that time, so that both
 * have had it: a visit each. Of a visitor only what happened here tells what it was about here.
 */

interface Visits {
  /** Newest first; those that were in another project too without their title, summary and first prompt. */
  readonly sessions: readonly PastSession[];
  /** Which of them were never in another project, as far as their beginning tells. */
  readonly settled: readonly string[];
  /** How many there are, those that have gone on as far as they were seen lately. */
  readonly count: number;
}

/** The newest sessions that were in a project, without the one that asks. */
export async function newestVisits(
  sql: Sql,
  view: ProjectView,
  limit: number,
  exceptId: string | undefined,
): Promise<Visits> {
  const own = await newestSessions(sql, view, limit, exceptId);
  const seen = await sessionsSeenIn(sql, view);
  const goneOn = await sessionsGoneOn(sql, view, seen, exceptId);
  const all = [...own, ...goneOn].sort((one, other) => other.startedAt - one.startedAt).slice(0, limit);
  const visitors = await begunElsewhere(
    sql,
    view.keys,
    own.map(({ id }) => id),
  );
  for (const { id } of goneOn) visitors.add(id);
  return {
    sessions: all.map((session) =>
      visitors.has(session.id) ? { ...session, summary: null, firstPrompt: null } : session,
    ),
    settled: all.flatMap(({ id }) => (visitors.has(id) ? [] : [id])),
    count: (await countSessions(sql, view, exceptId)) + goneOn.length,
  };
}
