import { hasActivity } from "../../capture/observations/reads/has-activity.ts";
import { type View, viewClause } from "../../capture/sessions/view.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";

interface SummaryStates {
  /** Ended sessions with activity whose summary is missing or older than some observations, newest first. */
  readonly outdated: readonly string[];
  /** How many ended sessions have a summary of all their observations. */
  readonly current: number;
  /** How many ended sessions had no activity. */
  readonly empty: number;
}

/** The state of the summaries of ended sessions. */
export async function summaryStates(sql: Sql, view: View, limit: number): Promise<SummaryStates> {
  const seen = viewClause(view, "sessions");
  const ended = `FROM sessions LEFT JOIN session_summaries AS summary ON summary.session_id = sessions.id
    WHERE sessions.status <> 'active'${seen.text}`;
  const isCurrent = `summary.session_id IS NOT NULL AND summary.observation_count = sessions.observation_count
    AND (sessions.updated_at <= summary.created_at OR NOT EXISTS
      (SELECT 1 FROM observations WHERE observations.session_id = sessions.id AND seq > summary.last_observation))`;
  const outdated = await firstColumn(
    sql,
    `SELECT sessions.id ${ended} AND NOT (${isCurrent}) AND ${hasActivity}
     ORDER BY sessions.ended_at DESC, sessions.id DESC LIMIT ?`,
    [...seen.args, limit],
  );
  const [counts = []] = await sql.values(
    `SELECT count(*) FILTER (WHERE sessions.observation_count > 0 AND ${isCurrent}),
       count(*) FILTER (WHERE sessions.observation_count = 0 OR NOT (${isCurrent}) AND NOT ${hasActivity}) ${ended}`,
    seen.args,
  );
  const [current = 0, empty = 0] = counts.map(Number);
  return { outdated, current, empty };
}

/**
 * Called before unimportant observations are deleted: lowers the counts of summaries that include them, so
 * that these summaries stay valid. (When somebody forgets observations, the summary is made again instead.)
 */
export async function discountObservations(sql: Sql, observationIds: readonly string[]): Promise<void> {
  await sql.run(
    `UPDATE session_summaries SET observation_count = observation_count - going.n FROM (
       SELECT session_id, count(*) AS n FROM observations JOIN session_summaries AS summary USING (session_id)
       WHERE id IN (SELECT value FROM json_each(?)) AND seq <= summary.last_observation GROUP BY session_id
     ) AS going WHERE going.session_id = session_summaries.session_id`,
    [JSON.stringify(observationIds)],
  );
}
