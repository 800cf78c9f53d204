import { maxTags } from "../../operation/fields.ts";
import { textsIn } from "../../store/json-columns.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import { commitsLinkedTo } from "../commits/links.ts";
import { implicitTag, importTag } from "./origin-tags.ts";

/**
 * A command to the agent (`/clear`, `/model`) is a session's name only until the user writes something else.
 */
const isCommand = `(first_prompt GLOB '/[a-zA-Z]*'
       AND instr(first_prompt, ' ') = 0 AND instr(substr(first_prompt, 2), '/') = 0)`;

/**
 * Whether a session still needs a prompt as its name. A title given at the start is in the summary, too, and
 * stays.
 */
const saysNothing = `(first_prompt IS NULL OR (summary IS NULL AND ${isCommand}))`;

interface Arrival {
  readonly sessionId: string;
  readonly project: string;
  readonly projectKey: string;
  readonly cwd: string;
  readonly timestamp: number;
  readonly receivedAt: number;
  /** The agent of the session, if this event creates it. */
  readonly agentId: string | undefined;
  readonly firstPrompt: string | undefined;
  /** Tags for the session, beside those that it has. */
  readonly tags: readonly string[];
  /**
   * What the event does to its session. `reopen`: an event from a hook opens it again; `none`: the event of
   * its end, which arrives after the end; `import`: an imported event is no activity, and a session that it
   * creates is completed.
   */
  readonly effect: "reopen" | "none" | "import";
}

/** What is needed to store an event of a session; undefined when the session does not exist yet. */
export async function sessionState(sql: Sql, sessionId: string): Promise<SessionState | undefined> {
  return firstRow(
    sql,
    `SELECT project, project_key AS projectKey, agent_id AS agentId, observation_count AS observationCount, tags
     FROM sessions WHERE id = ?`,
    [sessionId],
  );
}

export interface SessionState extends SessionHome {
  readonly observationCount: number;
  /** As a JSON array. */
  readonly tags: string;
}

export interface SessionHome {
  readonly project: string;
  readonly projectKey: string;
  readonly agentId: string | null;
}

/** Project and agent for the observations of sessions, by session id; unknown sessions are left out. */
export async function sessionHomes(sql: Sql, ids: readonly string[]): Promise<Map<string, SessionHome>> {
  const rows = await sql.all<SessionHome & { id: string }>(
    `SELECT id, project, project_key AS projectKey, agent_id AS agentId FROM sessions
     WHERE id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, ...home }) => [id, home]));
}

/** Counts one more observation in its session, which is created if unknown and reopened if it had ended. */
export async function countArrival(
  sql: Sql,
  arrival: Arrival,
  known: Pick<SessionState, "tags"> | undefined,
): Promise<void> {
  const isImport = arrival.effect === "import";
  if (known === undefined) {
    await sql.run(
      `INSERT INTO sessions (id, project, project_key, cwd, agent_id, status, started_at, updated_at,
         observation_count, first_prompt, commit_shas, tags)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)`,
      [
        arrival.sessionId,
        arrival.project,
        arrival.projectKey,
        arrival.cwd,
        arrival.agentId ?? null,
        isImport ? "completed" : "active",
        arrival.timestamp,
        arrival.receivedAt,
        arrival.firstPrompt ?? null,
        JSON.stringify(await commitsLinkedTo(sql, arrival.sessionId)),
        JSON.stringify(allTags([isImport ? importTag : implicitTag], arrival.tags)),
      ],
    );
    return;
  }
  await sql.run(
    `UPDATE sessions SET observation_count = observation_count + 1, updated_at = max(updated_at, ?),
       first_prompt = CASE WHEN ${saysNothing} THEN coalesce(?, first_prompt) ELSE first_prompt END${arrival.effect === "reopen" ? ", status = 'active', ended_at = NULL" : ""}
     WHERE id = ?`,
    [isImport ? 0 : arrival.receivedAt, arrival.firstPrompt ?? null, arrival.sessionId],
  );
  await addTags(sql, arrival, known.tags);
}

/** As many as a record may have, each once. */
function allTags(before: readonly string[], tags: readonly string[]): string[] {
  return [...new Set([...before, ...tags])].slice(0, maxTags);
}

async function addTags(sql: Sql, { sessionId, tags }: Arrival, stored: string): Promise<void> {
  if (tags.length === 0) return;
  const before = textsIn(stored);
  const all = allTags(before, tags);
  if (all.length <= before.length) return;
  await sql.run("UPDATE sessions SET tags = ? WHERE id = ?", [JSON.stringify(all), sessionId]);
}

/**
 * Extends the times of a session that an import created to those of its file; other sessions keep theirs.
 * Returns whether anything changed.
 */
export async function widenImported(
  sql: Sql,
  sessionId: string,
  times: { readonly first: number; readonly last: number },
): Promise<boolean> {
  const { changes } = await sql.run(
    `UPDATE sessions SET started_at = min(started_at, ?2), ended_at = max(coalesce(ended_at, ?3), ?3)
     WHERE id = ?1 AND status = 'completed' AND EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?4)
       AND (started_at > ?2 OR ended_at IS NULL OR ended_at < ?3)`,
    [sessionId, times.first, times.last, importTag],
  );
  return changes > 0;
}

/**
 * Sets the times of sessions that were created for imported observations (the only completed ones without an
 * end) to those of all their observations.
 */
export async function dateMadeSessions(sql: Sql): Promise<void> {
  await sql.run(
    `UPDATE sessions SET started_at = own.first, ended_at = own.last
     FROM (SELECT session_id, min(timestamp) AS first, max(timestamp) AS last FROM observations
       WHERE session_id IN (SELECT id FROM sessions WHERE status = 'completed' AND ended_at IS NULL)
       GROUP BY session_id) AS own
     WHERE own.session_id = sessions.id`,
  );
}

/** Recounts the observations of a session, after some were deleted. */
export async function recountObservations(sql: Sql, sessionId: string): Promise<void> {
  await sql.run(
    "UPDATE sessions SET observation_count = (SELECT count(*) FROM observations WHERE session_id = ?1) WHERE id = ?1",
    [sessionId],
  );
}

/**
 * The prompt that a session is named after; undefined when there is none, or when the name is a title given
 * at the start.
 */
export async function promptOf(sql: Sql, sessionId: string): Promise<string | undefined> {
  const row = await firstRow<{ prompt: string }>(
    sql,
    `SELECT first_prompt AS prompt FROM sessions
     WHERE id = ? AND first_prompt IS NOT NULL AND first_prompt IS NOT summary`,
    [sessionId],
  );
  return row?.prompt;
}

/**
 * Names a session after the first meaningful prompt; if there is none, the next captured prompt becomes its
 * name.
 */
export async function renameByPrompts(
  sql: Sql,
  sessionId: string,
  prompts: AsyncIterable<string>,
): Promise<void> {
  await sql.run("UPDATE sessions SET first_prompt = NULL WHERE id = ?", [sessionId]);
  for await (const prompt of prompts) {
    const { changes } = await sql.run(
      `UPDATE sessions SET first_prompt = ? WHERE id = ? AND (first_prompt IS NULL OR ${isCommand})`,
      [prompt, sessionId],
    );
    if (changes === 0) return;
  }
}
