import { type AgentFilter, agentClause, everyone } from "../../../capture/sessions/agent-scope.ts";
import { firstRow, type Sql } from "../../../store/sql.ts";
import type { Memory } from "../record.ts";
import { withPresentTitle } from "../titles/present-titles.ts";
import { oldestVersion } from "./oldest-version.ts";

/**
 * The newest version that descends from a memory that is not the latest, else the latest one of its memory: of versions
 * that two stores made at once, one stays the latest. As far as the filter allows.
 */
export async function newestVersionOf(sql: Sql, id: string, filter = everyone): Promise<string | undefined> {
  const agent = agentClause(filter, "agent_id");
  const newest = await firstRow<{ id: string }>(
    sql,
    `SELECT id FROM memories WHERE EXISTS (SELECT 1 FROM json_each(supersedes) WHERE value = ?)${agent.text}
     ORDER BY is_latest DESC, version DESC LIMIT 1`,
    [id, ...agent.args],
  );
  if (newest !== undefined) return newest.id;
  const latest = await firstRow<{ id: string }>(
    sql,
    `SELECT id FROM memories WHERE is_latest = 1
       AND ${oldestVersion} = (SELECT ${oldestVersion} FROM memories WHERE id = ?)${agent.text}
     ORDER BY version DESC LIMIT 1`,
    [id, ...agent.args],
  );
  return latest?.id;
}

/**
 * The record of a single memory, with its present title and the id of its newest version if that is another.
 */
export async function withVersionNotes(sql: Sql, record: Memory, filter: AgentFilter): Promise<Memory> {
  const titled = await withPresentTitle(sql, record);
  const latestId = record.isLatest ? undefined : await newestVersionOf(sql, record.id, filter);
  return latestId === undefined ? titled : { ...titled, latestId };
}
