import { sessionsSeenIn, startedInOtherProjects } from "../../capture/observations/reads/project-history.ts";
import {
  countSessions,
  newestSessions,
  type PastSession,
  sessionsOfOtherProjects,
} from "../../capture/sessions/history.ts";
import type { ProjectView } from "../../capture/sessions/view.ts";
import type { Sql } from "../../store/sql.ts";

/*
 * A session may move to another project. Its observations stay with the project they were captured in, so
 * each of the projects had the session: one visit each. For a visit that is only part of a session, only what
 * was captured in this project is shown.
 */

interface Visits {
  /**
   * Newest first. Title, summary and first prompt are removed from sessions that were in another project,
   * too.
   */
  readonly sessions: readonly PastSession[];
  /** The sessions that were never in another project, as far as their start tells. */
  readonly settled: readonly string[];
  /** The total number; of sessions that have moved on only those seen recently are counted. */
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
  const goneOn = await sessionsOfOtherProjects(sql, view, seen, exceptId);
  const all = [...own, ...goneOn].sort((one, other) => other.startedAt - one.startedAt).slice(0, limit);
  const visitors = await startedInOtherProjects(
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
