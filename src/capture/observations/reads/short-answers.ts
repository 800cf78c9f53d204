import type { Sql } from "../../../store/sql.ts";
import { isAnswerSql } from "../prose/agent-answer.ts";

/** In characters. */
const shortAnswer = 60;

/** The texts of an agent's short answers among the observations, by id. */
export async function shortAnswersAmong(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.all<{ id: string; narrative: string }>(
    `SELECT id, narrative FROM observations
     WHERE id IN (SELECT value FROM json_each(?)) AND ${isAnswerSql} AND length(narrative) <= ${shortAnswer}`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, narrative }) => [id, narrative]));
}
