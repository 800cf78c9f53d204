import { textsIn } from "../../../store/json-columns.ts";
import type { Sql } from "../../../store/sql.ts";
import { hasExitMarkSql } from "../commands/exit-mark.ts";
import { isCommitting } from "../commands/made-commits.ts";
import { testSummaryLine } from "../outputs/output-lines.ts";
import { labelledFact, momentaryLabels, textAfterLabel } from "../rules/fact-labels.ts";

/** How many of each session's newest observations are read: for 50 sessions that takes 100 ms (measured). */
const newestPerSession = 300;

/** A fact, and the sessions in which it was noted. */
export interface NotedFact {
  readonly fact: string;
  readonly sessionIds: readonly string[];
}

/**
 * Facts noted in at least two of these sessions, those in most sessions first. Error facts only count for
 * failures: in other output the word error means nothing.
 */
export async function recurringFacts(
  sql: Sql,
  sessionIds: readonly string[],
  limit: number,
): Promise<NotedFact[]> {
  const rows = await sql.all<{ fact: string; sessionIds: string }>(
    `WITH asked(session) AS (SELECT value FROM json_each(?1)),
     noted AS (
       SELECT observations.session_id AS session, fact.value AS fact
       FROM asked CROSS JOIN observations CROSS JOIN json_each(observations.facts) AS fact
       WHERE seq IN (SELECT seq FROM observations WHERE session_id = asked.session
         ORDER BY timestamp DESC, seq DESC LIMIT ${newestPerSession})
         AND (fact.value NOT LIKE '${labelledFact("error", "%")}' OR observations.type = 'error' OR ${hasExitMarkSql})
         AND NOT EXISTS (SELECT 1 FROM json_each(?2) WHERE substr(fact.value, 1, length(value)) = value))
     SELECT min(fact) AS fact, json_group_array(DISTINCT session) AS sessionIds
     FROM noted GROUP BY lower(trim(fact)) HAVING count(DISTINCT session) > 1
     ORDER BY count(DISTINCT session) DESC, fact LIMIT ?3`,
    [
      JSON.stringify(sessionIds),
      JSON.stringify(momentaryLabels.map((label) => labelledFact(label, ""))),
      limit,
    ],
  );
  return rows
    .filter(({ fact }) => !isOfOneRun(fact))
    .map(({ fact, sessionIds: ids }) => ({ fact, sessionIds: textsIn(ids) }));
}

/** Counts of failed tests, and commits: if they recur, that is a coincidence. */
function isOfOneRun(fact: string): boolean {
  const error = textAfterLabel("error", fact);
  return (
    (error !== undefined && testSummaryLine(error) !== undefined) ||
    isCommitting(textAfterLabel("command", fact) ?? "")
  );
}
