import { groupPairs } from "../../group-by.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";
import { forgetCommits, renameCommit } from "../sessions/commit-shas.ts";
import { leastDigits } from "./sha.ts";

/** Links sessions to a commit, after those that are linked already. Returns whether any of them is new. */
export async function linkSessions(sql: Sql, sha: string, sessionIds: readonly string[]): Promise<boolean> {
  if (sessionIds.length === 0) return false;
  const { changes } = await sql.run(
    `INSERT INTO commit_sessions (sha, session_id, position)
     SELECT ?1, value, key + (SELECT coalesce(max(position), 0) + 1 FROM commit_sessions WHERE sha = ?1)
     FROM json_each(?2) WHERE true
     ON CONFLICT (sha, session_id) DO NOTHING`,
    [sha, JSON.stringify(sessionIds)],
  );
  return changes > 0;
}

/** Removes a session from the links of its commits; the commits stay. */
export async function unlinkSession(sql: Sql, sessionId: string, now: number): Promise<void> {
  const shas = await firstColumn(sql, "DELETE FROM commit_sessions WHERE session_id = ? RETURNING sha", [
    sessionId,
  ]);
  if (shas.length === 0) return;
  await sql.run("UPDATE commits SET updated_at = ? WHERE sha IN (SELECT value FROM json_each(?))", [
    now,
    JSON.stringify(shas),
  ]);
}

/** Deletes the commits of a session, except those that other sessions are linked to as well. */
export async function deleteOwnCommits(sql: Sql, sessionId: string): Promise<void> {
  await sql.run(
    `DELETE FROM commits WHERE sha IN (SELECT sha FROM commit_sessions WHERE session_id = ?1)
       AND NOT EXISTS (SELECT 1 FROM commit_sessions AS links WHERE links.sha = commits.sha AND session_id <> ?1)`,
    [sessionId],
  );
}

/** The existing sessions that have linked commits. */
export async function linkedSessions(sql: Sql): Promise<string[]> {
  return firstColumn(
    sql,
    "SELECT DISTINCT session_id FROM commit_sessions WHERE session_id IN (SELECT id FROM sessions)",
  );
}

/**
 * Removes the sessions that do not exist any more from the links of commits. Returns whether there were any.
 */
export async function unlinkGone(sql: Sql, sessionIds: ReadonlySet<string>, now: number): Promise<boolean> {
  const gone = await firstColumn(
    sql,
    `SELECT value FROM json_each(?) WHERE value IN (SELECT session_id FROM commit_sessions)
       AND value NOT IN (SELECT id FROM sessions)`,
    [JSON.stringify([...sessionIds])],
  );
  for (const id of gone) await unlinkSession(sql, id, now);
  return gone.length > 0;
}

/** The commits that are linked to a session, including those linked before the session was known. */
export async function commitsLinkedTo(sql: Sql, sessionId: string): Promise<string[]> {
  return firstColumn(
    sql,
    `SELECT sha FROM commit_sessions JOIN commits USING (sha) WHERE session_id = ? ORDER BY linked_at, sha`,
    [sessionId],
  );
}

/** The sessions of commits, by sha, in the order of linking; commits without any are left out. */
export async function sessionsLinkedTo(sql: Sql, shas: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await sql.all<{ sha: string; sessionId: string }>(
    `SELECT sha, session_id AS sessionId FROM commit_sessions
     WHERE sha IN (SELECT value FROM json_each(?)) ORDER BY sha, position, session_id`,
    [JSON.stringify(shas)],
  );
  return groupPairs(rows.map(({ sha, sessionId }) => [sha, sessionId]));
}

/** Renames a stored commit to a longer form of its sha, everywhere. */
export async function lengthenSha(sql: Sql, shorter: string, longer: string): Promise<void> {
  const sessionIds = (await sessionsLinkedTo(sql, [shorter])).get(shorter) ?? [];
  await renameCommit(sql, sessionIds, shorter, longer);
  await sql.run("UPDATE commits SET sha = ?2 WHERE sha = ?1", [shorter, longer]);
  await sql.run("UPDATE commit_sessions SET sha = ?2 WHERE sha = ?1", [shorter, longer]);
}

/**
 * Deletes commits that are known only from these deleted observations of a session. A commit that other
 * sessions show too, such as copies of this one that went on, stays with them.
 */
export async function forgetCaptured(
  sql: Sql,
  sessionId: string,
  observationIds: readonly string[],
  now: number,
): Promise<void> {
  const shas = await firstColumn(
    sql,
    "SELECT sha FROM commits WHERE captured_from IN (SELECT value FROM json_each(?))",
    [JSON.stringify(observationIds)],
  );
  if (shas.length === 0) return;
  const shown = await shownElsewhere(sql, sessionId, shas);
  for (const [sha, observationId] of shown) {
    await sql.run("UPDATE commits SET captured_from = ?, updated_at = ? WHERE sha = ?", [
      observationId,
      now,
      sha,
    ]);
    await sql.run("DELETE FROM commit_sessions WHERE sha = ? AND session_id = ?", [sha, sessionId]);
  }
  await forgetCommits(sql, [...shown.keys()], sessionId);
  const gone = shas.filter((sha) => !shown.has(sha));
  const list = JSON.stringify(gone);
  await sql.run("DELETE FROM commits WHERE sha IN (SELECT value FROM json_each(?))", [list]);
  await sql.run("DELETE FROM commit_sessions WHERE sha IN (SELECT value FROM json_each(?))", [list]);
  await forgetCommits(sql, gone);
}

/** By sha, an observation that prints the commit, of the first other session that has one. */
async function shownElsewhere(
  sql: Sql,
  sessionId: string,
  shas: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.values(
    `SELECT links.sha, (SELECT observations.id FROM observations JOIN raw_events ON observation_id = observations.id
        WHERE observations.session_id = links.session_id AND observations.type IN ('command_run', 'error')
          AND instr(event, substr(links.sha, 1, ${leastDigits})) > 0 ORDER BY timestamp, seq LIMIT 1) AS shown
     FROM commit_sessions AS links
     WHERE links.sha IN (SELECT value FROM json_each(?)) AND links.session_id <> ? AND shown IS NOT NULL
     ORDER BY links.position DESC`,
    [JSON.stringify(shas), sessionId],
  );
  // Of several the first one counts, which comes last.
  return new Map(rows.map(([sha, observationId]) => [String(sha), String(observationId)]));
}
