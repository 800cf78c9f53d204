import { agentClause } from "../../../capture/sessions/agent-scope.ts";
import type { ProjectView } from "../../../capture/sessions/view.ts";
import { partReader, type Read } from "../../../store/row-reader.ts";
import type { Sql } from "../../../store/sql.ts";
import { memories } from "../tables.ts";

const part = partReader(memories, ["content", "isLatest", "createdAt"]);
export type MemoryVersion = Read<typeof part>;

/** The newest memories of a project, among them versions that others have replaced. */
export async function newestVersions(
  sql: Sql,
  { keys, filter }: ProjectView,
  limit: number,
): Promise<MemoryVersion[]> {
  const agent = agentClause(filter, "agent_id");
  return part.rows(
    sql,
    `SELECT ${part.columns} FROM memories
     WHERE project_key IN (SELECT value FROM json_each(?))${agent.text} ORDER BY created_at DESC LIMIT ?`,
    [JSON.stringify(keys), ...agent.args, limit],
  );
}
