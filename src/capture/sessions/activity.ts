import { firstRow, type Sql } from "../../store/sql.ts";
import { commitsLinkedTo } from "../commits/links.ts";

interface Arrival {
  readonly sessionId: string;
  readonly project: string;
  readonly projectKey: string;
  readonly cwd: string;
  readonly timestamp: number;
  readonly receivedAt: number;
  /** Agent of a session that this event brings into being. */
  readonly agentId: string | undefined;
  readonly firstPrompt: string | undefined;
  /** False for the end hook, which arrives after the end and must not open the session again. */
  readonly reopens: boolean;
}

export interface SessionState {
  readonly projectKey: string;
  readonly agentId: string | null;
  readonly observationCount: number;
}

/** What an arriving event needs to know of its session; undefined when there is none yet. */
export async function sessionState(sql: Sql, sessionId: string): Promise<SessionState | undefined> {
  return firstRow<SessionState>(
    sql,
    `SELECT project_key AS projectKey, agent_id AS agentId, observation_count AS observationCount
     FROM sessions WHERE id = ?`,
    [sessionId],
  );
}

/** Counts one more observation in its session: made when unknown, taken up again when it had ended. */
export async function countArrival(sql: Sql, arrival: Arrival, known: boolean): Promise<void> {
  if (!known) {
    await sql.run(
      `INSERT INTO sessions (id, project, project_key, cwd, agent_id, status, started_at, updated_at,
         observation_count, first_prompt, commit_shas, tags)
       VALUES (?, ?, ?, ?, ?, 'active', ?, ?, 1, ?, ?, '["implicit"]')`,
      [
        arrival.sessionId,
        arrival.project,
        arrival.projectKey,
        arrival.cwd,
        arrival.agentId ?? null,
        arrival.timestamp,
        arrival.receivedAt,
        arrival.firstPrompt ?? null,
        JSON.stringify(await commitsLinkedTo(sql, arrival.sessionId)),
      ],
    );
    return;
  }
  await sql.run(
    `UPDATE sessions SET observation_count = observation_count + 1, updated_at = ?,
       first_prompt = coalesce(first_prompt, ?)${arrival.reopens ? ", status = 'active', ended_at = NULL" : ""}
     WHERE id = ?`,
    [arrival.receivedAt, arrival.firstPrompt ?? null, arrival.sessionId],
  );
}

/** Sets the count to what is stored, after observations were deleted. */
export async function recountObservations(sql: Sql, sessionId: string): Promise<void> {
  await sql.run(
    "UPDATE sessions SET observation_count = (SELECT count(*) FROM observations WHERE session_id = ?1) WHERE id = ?1",
    [sessionId],
  );
}
