import { firstColumn, type Sql } from "../../../store/sql.ts";

/** The facts noted in observations of a session: in all of them, or in those with these ids. */
export async function notedFacts(
  sql: Sql,
  sessionId: string,
  ids: readonly string[] | undefined,
): Promise<string[]> {
  return firstColumn(
    sql,
    `SELECT DISTINCT fact.value FROM observations, json_each(observations.facts) AS fact
     WHERE session_id = ?1 AND (?2 IS NULL OR observations.id IN (SELECT value FROM json_each(?2)))`,
    [sessionId, ids === undefined ? null : JSON.stringify(ids)],
  );
}
