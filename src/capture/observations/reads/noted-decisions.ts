import type { Sql } from "../../../store/sql.ts";
import { labelledFact, textAfterLabel } from "../rules/fact-labels.ts";

export interface NotedDecision {
  /** Id of the observation. */
  readonly id: string;
  readonly text: string;
}

/** The decisions noted in observations, in the order of each one's text. */
export async function notedDecisions(sql: Sql, ids: readonly string[]): Promise<NotedDecision[]> {
  if (ids.length === 0) return [];
  const facts = await sql.all<{ id: string; fact: string }>(
    `SELECT observations.id, fact.value AS fact
     FROM json_each(?) AS asked CROSS JOIN observations ON observations.id = asked.value
     CROSS JOIN json_each(observations.facts) AS fact
     WHERE fact.value LIKE '${labelledFact("decision", "%")}'
     ORDER BY observations.id, fact.key`,
    [JSON.stringify(ids)],
  );
  return facts.flatMap(({ id, fact }) => {
    const text = textAfterLabel("decision", fact);
    return text === undefined ? [] : [{ id, text }];
  });
}
