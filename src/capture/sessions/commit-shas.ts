import type { Sql } from "../../store/sql.ts";

/** Adds a commit to its session, if that exists. Counts as activity, but does not reopen the session. */
export async function noteCommit(sql: Sql, sessionId: string, sha: string, now: number): Promise<void> {
  await sql.run(
    `UPDATE sessions SET updated_at = ?3, commit_shas =
       CASE WHEN EXISTS (SELECT 1 FROM json_each(commit_shas) WHERE value = ?2) THEN commit_shas
         ELSE json_insert(commit_shas, '$[#]', ?2) END
     WHERE id = ?1`,
    [sessionId, sha, now],
  );
}

/** Adds commits of a file to the sessions that lack them; this is no activity of theirs. */
export async function noteFileCommits(
  sql: Sql,
  links: readonly (readonly [sha: string, sessionId: string])[],
): Promise<void> {
  const missing = await sql.values(
    `SELECT link.value ->> 0, sessions.id FROM json_each(?) AS link CROSS JOIN sessions
     ON sessions.id = link.value ->> 1
     WHERE NOT EXISTS (SELECT 1 FROM json_each(commit_shas) AS noted WHERE noted.value = link.value ->> 0)`,
    [JSON.stringify(links)],
  );
  for (const [sha, sessionId] of missing)
    await sql.run("UPDATE sessions SET commit_shas = json_insert(commit_shas, '$[#]', ?2) WHERE id = ?1", [
      String(sessionId),
      String(sha),
    ]);
}

/** Replaces a sha by its longer form in sessions; once, if they have both. */
export async function renameCommit(
  sql: Sql,
  sessionIds: readonly string[],
  from: string,
  to: string,
): Promise<void> {
  await sql.run(
    `UPDATE sessions SET commit_shas =
       (SELECT json_group_array(sha)
        FROM (SELECT CASE value WHEN ?2 THEN ?3 ELSE value END AS sha FROM json_each(commit_shas)
          GROUP BY 1 ORDER BY min(key)))
     WHERE id IN (SELECT value FROM json_each(?1))`,
    [JSON.stringify(sessionIds), from, to],
  );
}

/** Removes commits from all sessions, or from one; this is no activity of theirs. */
export async function forgetCommits(sql: Sql, shas: readonly string[], sessionId?: string): Promise<void> {
  await sql.run(
    `WITH gone (sha) AS MATERIALIZED (SELECT value FROM json_each(?1))
     UPDATE sessions SET commit_shas =
       (SELECT json_group_array(value)
        FROM (SELECT value FROM json_each(commit_shas) WHERE value NOT IN gone ORDER BY key))
     WHERE (?2 IS NULL OR id = ?2) AND EXISTS (SELECT 1 FROM json_each(commit_shas) WHERE value IN gone)`,
    [JSON.stringify(shas), sessionId ?? null],
  );
}
