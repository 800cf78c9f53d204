import { firstRow, type Sql } from "../../store/sql.ts";

/** A project, and its agent where agents are isolated. */
export interface RunPlace {
  readonly projectKey: string;
  readonly agentId: string | null;
}

/** When the last finished run of a project began; undefined if there was none. */
export async function lastRunOf(sql: Sql, { projectKey, agentId }: RunPlace): Promise<number | undefined> {
  const row = await firstRow<{ lastRunAt: number }>(
    sql,
    "SELECT last_run_at AS lastRunAt FROM consolidation_runs WHERE project_key = ? AND agent_key = ?",
    [projectKey, agentId ?? ""],
  );
  return row?.lastRunAt;
}

export async function noteLastRun(
  sql: Sql,
  { projectKey, agentId }: RunPlace,
  beganAt: number,
): Promise<void> {
  await sql.run(
    `INSERT INTO consolidation_runs (project_key, agent_key, last_run_at) VALUES (?, ?, ?)
     ON CONFLICT (project_key, agent_key) DO UPDATE SET last_run_at = excluded.last_run_at`,
    [projectKey, agentId ?? "", beganAt],
  );
}
