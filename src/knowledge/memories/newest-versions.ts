import { agentClause } from "../../capture/sessions/agent-scope.ts";
import type { ProjectView } from "../../capture/sessions/view.ts";
import type { Sql } from "../../store/sql.ts";

export interface MemoryVersion {
  readonly content: string;
  readonly isLatest: boolean;
  readonly createdAt: number;
}

/** The newest memories of a project, among them versions that others have replaced. */
export async function newestVersions(
  sql: Sql,
  { keys, filter }: ProjectView,
  limit: number,
): Promise<MemoryVersion[]> {
  const agent = agentClause(filter, "agent_id");
  const rows = await sql.all<Omit<MemoryVersion, "isLatest"> & { readonly isLatest: number }>(
    `SELECT content, is_latest AS isLatest, created_at AS createdAt FROM memories
     WHERE project_key IN (SELECT value FROM json_each(?))${agent.text} ORDER BY created_at DESC LIMIT ?`,
    [JSON.stringify(keys), ...agent.args, limit],
  );
  return rows.map((row) => ({ ...row, isLatest: row.isLatest === 1 }));
}
