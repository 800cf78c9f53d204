import { partReader, type Read } from "../../../store/row-reader.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Transaction } from "../../../store/store.ts";
import { type AgentFilter, agentClause } from "../../sessions/agent-scope.ts";
import { observations } from "../tables.ts";

/** A project may have a million observations; those older than this many are ignored. */
const newestOfProject = 5_000;

const part = partReader(observations, [
  ...(["id", "sessionId", "type", "title", "narrative", "facts", "concepts", "files", "importance"] as const),
]);
/** An important observation from which no memory was made yet. */
export type Unconsolidated = Read<typeof part>;

/** Observations among the newest of a project, the most important first, then the newest first. */
export async function unconsolidatedOf(
  sql: Sql,
  { projectKey, filter }: { readonly projectKey: string; readonly filter: AgentFilter },
  { importance, limit }: { readonly importance: number; readonly limit: number },
): Promise<Unconsolidated[]> {
  const agent = agentClause(filter, "agent_id");
  return part.rows(
    sql,
    `SELECT ${part.columns} FROM observations WHERE seq IN
       (SELECT seq FROM observations WHERE project_key = ?${agent.text}
        ORDER BY timestamp DESC, seq DESC LIMIT ${newestOfProject})
       AND importance >= ? AND consolidated_at IS NULL
     ORDER BY importance DESC, timestamp DESC, seq DESC LIMIT ?`,
    [projectKey, ...agent.args, importance, limit],
  );
}

/** Whether all of these still exist and at least one was not yet used for a memory. */
export async function areUnconsolidated(sql: Sql, ids: readonly string[]): Promise<boolean> {
  const rows = await sql.values(
    "SELECT consolidated_at FROM observations WHERE id IN (SELECT value FROM json_each(?))",
    [JSON.stringify(ids)],
  );
  return rows.length === ids.length && rows.some(([at]) => at === null);
}

/** Marks observations as used for a memory. */
export async function markConsolidated(tx: Transaction, ids: readonly string[], now: number): Promise<void> {
  await tx.sql.run(
    `UPDATE observations SET consolidated_at = coalesce(consolidated_at, ?)
     WHERE id IN (SELECT value FROM json_each(?))`,
    [now, JSON.stringify(ids)],
  );
}
