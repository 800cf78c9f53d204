import { textsIn, type WithJson } from "../../../store/json-columns.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Transaction } from "../../../store/store.ts";
import { type AgentFilter, agentClause } from "../../sessions/agent-scope.ts";

/** A project's observations may be a million: what is older than so many is left alone. */
const newestOfProject = 5_000;

/** An important observation of which no memory was made yet. */
export interface Unconsolidated {
  readonly id: string;
  readonly sessionId: string;
  readonly type: string;
  readonly title: string;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  readonly importance: number;
}

type Row = WithJson<Unconsolidated, "facts" | "concepts" | "files">;

/** Among the newest of a project, most important first, newest first among equals. */
export async function unconsolidatedOf(
  sql: Sql,
  { projectKey, filter }: { readonly projectKey: string; readonly filter: AgentFilter },
  { importance, limit }: { readonly importance: number; readonly limit: number },
): Promise<Unconsolidated[]> {
  const agent = agentClause(filter, "agent_id");
  const rows = await sql.all<Row>(
    `SELECT id, session_id AS sessionId, type, title, narrative, facts, concepts, files, importance
     FROM observations WHERE seq IN
       (SELECT seq FROM observations WHERE project_key = ?${agent.text}
        ORDER BY timestamp DESC, seq DESC LIMIT ${newestOfProject})
       AND importance >= ? AND consolidated_at IS NULL
     ORDER BY importance DESC, timestamp DESC, seq DESC LIMIT ?`,
    [projectKey, ...agent.args, importance, limit],
  );
  return rows.map((row) => ({
    ...row,
    facts: textsIn(row.facts),
    concepts: textsIn(row.concepts),
    files: textsIn(row.files),
  }));
}

/** Whether all of these are still stored, and no other run made a memory of each of them. */
export async function areUnconsolidated(sql: Sql, ids: readonly string[]): Promise<boolean> {
  const rows = await sql.values(
    "SELECT consolidated_at FROM observations WHERE id IN (SELECT value FROM json_each(?))",
    [JSON.stringify(ids)],
  );
  return rows.length === ids.length && rows.some(([at]) => at === null);
}

/** Marks observations of which a memory was made. */
export async function markConsolidated(tx: Transaction, ids: readonly string[], now: number): Promise<void> {
  await tx.sql.run(
    `UPDATE observations SET consolidated_at = coalesce(consolidated_at, ?)
     WHERE id IN (SELECT value FROM json_each(?))`,
    [now, JSON.stringify(ids)],
  );
}
