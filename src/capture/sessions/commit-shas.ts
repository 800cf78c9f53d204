import type { Sql } from "../../store/sql.ts";

/** Notes a commit in its session, if there is one of that id. It counts as activity and opens nothing again. */
export async function noteCommit(sql: Sql, sessionId: string, sha: string, now: number): Promise<void> {
  await sql.run(
    `UPDATE sessions SET updated_at = ?3, commit_shas =
       CASE WHEN EXISTS (SELECT 1 FROM json_each(commit_shas) WHERE value = ?2) THEN commit_shas
         ELSE json_insert(commit_shas, '$[#]', ?2) END
     WHERE id = ?1`,
    [sessionId, sha, now],
  );
}

/** Puts the longer form of a sha in its place in every session that names the shorter one. */
export async function renameCommit(
  sql: Sql,
  sessionIds: readonly string[],
  from: string,
  to: string,
): Promise<void> {
  await sql.run(
    `UPDATE sessions SET commit_shas =
       (SELECT json_group_array(CASE value WHEN ?2 THEN ?3 ELSE value END)
        FROM (SELECT value FROM json_each(commit_shas) ORDER BY key))
     WHERE id IN (SELECT value FROM json_each(?1))`,
    [JSON.stringify(sessionIds), from, to],
  );
}
