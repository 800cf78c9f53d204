import { agentClause } from "../../../capture/sessions/agent-scope.ts";
import type { ProjectView } from "../../../capture/sessions/view.ts";
import { partReader, type Read } from "../../../store/row-reader.ts";
import type { Sql } from "../../../store/sql.ts";
import { unexpiredSql } from "../live-sql.ts";
import { memories } from "../tables.ts";

/** How many memories are read: they may replace what a session or a prompt decided. */
const most = 100;

const part = partReader(memories, ["content", "isLatest", "createdAt"]);
export type MemoryVersion = Read<typeof part>;

/** The newest memories of a project that have not expired, among them versions that others have replaced. */
export async function newestVersions(
  sql: Sql,
  { keys, filter }: ProjectView,
  now: number,
): Promise<MemoryVersion[]> {
  const agent = agentClause(filter, "agent_id");
  return part.rows(
    sql,
    `SELECT ${part.columns} FROM memories
     WHERE project_key IN (SELECT value FROM json_each(?)) AND ${unexpiredSql("?")}${agent.text}
     ORDER BY created_at DESC LIMIT ${most}`,
    [JSON.stringify(keys), now, ...agent.args],
  );
}
