import { textsIn } from "../../store/json-columns.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";
import { givenTags } from "./origin-tags.ts";

const mostAgents = 1_000;

/** The agents that have sessions. */
export function agentsOfSessions(sql: Sql): Promise<string[]> {
  return firstColumn(
    sql,
    `SELECT DISTINCT agent_id FROM sessions WHERE agent_id IS NOT NULL ORDER BY agent_id LIMIT ${mostAgents}`,
  );
}

/** The tags that sessions were given, such as the programs of their agents. */
export async function tagsOfSessions(sql: Sql): Promise<string[]> {
  const lists = await firstColumn(sql, `SELECT DISTINCT tags FROM sessions LIMIT ${mostAgents}`);
  return [...new Set(lists.flatMap((tags) => givenTags({ tags: textsIn(tags) })))];
}

/** The sessions that have a tag, or belong to an agent of the same name. */
export function sessionsOfNamed(sql: Sql, name: string): Promise<string[]> {
  return firstColumn(
    sql,
    `SELECT id FROM sessions
     WHERE agent_id = ?1 OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?1)`,
    [name],
  );
}
