import type { Sql } from "../../store/sql.ts";
import type { Candidate } from "../keyword/candidate.ts";

/*
 * What was asked in a session is answered by what was written right after it, often without a word of the question:
 * "three times a week". So what follows a question that was found comes into consideration too, and counts the
 * question's words as its own.
 */

/** The first question mark may stand anywhere in a long text; a message that asks ends with its question. */
const endingLength = 200;
const readQuestions = 32;
/** Where two sessions run at the same time, their rows alternate. */
const farthestRows = 2;

/** The ids of what answers, each with that of its question: of the best candidates that ask something. */
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
