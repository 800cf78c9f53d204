import { type AgentFilter, agentClause } from "../../capture/sessions/agent-scope.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";

/** A table of rows that may name observations as their sources. */
interface SourcedTable {
  readonly table: string;
  readonly sourceColumn: string;
  /** SQL condition for rows that are visible. */
  readonly isShown: string;
}

export const memorySources: SourcedTable = {
  table: "memories",
  sourceColumn: "source_observation_ids",
  isShown: "is_latest",
};

export const lessonSources: SourcedTable = {
  table: "lessons",
  sourceColumn: "source_ids",
  isShown: "NOT deleted",
};

/** The ids of visible rows that have any of the observations as a source, as far as the filter allows. */
export async function findBySources(
  sql: Sql,
  { table, sourceColumn, isShown }: SourcedTable,
  observationIds: readonly string[],
  filter: AgentFilter,
): Promise<string[]> {
  if (observationIds.length === 0) return [];
  const agent = agentClause(filter, "agent_id");
  return firstColumn(
    sql,
    `WITH sources(id) AS MATERIALIZED (SELECT value FROM json_each(?))
     SELECT id FROM ${table} WHERE ${isShown} AND ${sourceColumn} <> '[]'
       AND EXISTS (SELECT 1 FROM json_each(${sourceColumn}) WHERE value IN sources)${agent.text} ORDER BY id`,
    [JSON.stringify(observationIds), ...agent.args],
  );
}
