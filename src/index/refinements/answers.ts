import type { Sql } from "../../store/sql.ts";
import type { Candidate } from "../keyword/candidate.ts";

/*
 * A question in a session is mostly answered by what was written next, often without a word of the question: "three
 * times a week". So the document after a found question becomes a candidate too, and the question's words count for it.
 */

/** In characters. A message that asks has a question mark near its end; elsewhere in a long text it says little. */
const endingLength = 200;
const readQuestions = 32;
/** More than one row, because the rows of two sessions that run at the same time alternate. */
const farthestRows = 2;

/** The ids of the documents that answer questions among the best candidates, each with the id of its question. */
export async function readAnswers(sql: Sql, bestFirst: readonly Candidate[]): Promise<Map<number, number>> {
  const ids = bestFirst
    .slice(0, readQuestions)
    .filter(({ sessionId }) => sessionId !== null)
    .map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await sql.all<{ question: number; answer: number | null }>(
    `SELECT question.id AS question, (
      SELECT min(answer.id) FROM documents AS answer
      WHERE answer.session_id = question.session_id
        AND answer.id > question.id AND answer.id <= question.id + ${farthestRows}
    ) AS answer
    FROM json_each(?) AS candidate CROSS JOIN documents AS question ON question.id = candidate.value
    WHERE instr(substr(question.body, -${endingLength}), '?') > 0`,
    [JSON.stringify(ids)],
  );
  return new Map(
    rows.flatMap(({ question, answer }) => (answer === null ? [] : [[answer, question] as const])),
  );
}
