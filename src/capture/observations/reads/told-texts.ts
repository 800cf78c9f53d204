import { chunksOf } from "../../../store/chunks.ts";
import { textsIn } from "../../../store/json-columns.ts";
import { firstColumn, type Sql } from "../../../store/sql.ts";
import { turnGiver } from "../../../store/turns.ts";
import { type AgentFilter, agentClause } from "../../sessions/agent-scope.ts";
import { inputPartsOf } from "../calls/tool-input.ts";
import { commitMessageIn } from "../commands/commit-message.ts";
import { hasExitMarkSql } from "../commands/exit-mark.ts";
import { isAnswerSql } from "../prose/agent-answer.ts";
import { eventField } from "../stored-event.ts";

/** How many of a project's newest observations are searched, and how many texts among them are read. */
const newestOfProject = 10_000;
const mostTexts = 1_000;
const readAtOnce = 50;

/** What an agent told at the end of a turn, or in the message of a commit, in full. */
export interface ToldText {
  /** Of the observation. */
  readonly id: string;
  readonly seq: number;
  readonly sessionId: string;
  readonly timestamp: number;
  readonly concepts: readonly string[];
  readonly kind: "answer" | "commit";
  readonly text: string;
}

interface Row extends Omit<ToldText, "concepts" | "kind" | "text"> {
  readonly concepts: string;
  readonly isAnswer: number;
  /** JSON. */
  readonly told: string | null;
}

/** The texts of a project from which no memory was made yet, the last one first. Other work runs in between. */
export async function* toldTexts(
  sql: Sql,
  { projectKey, filter }: { readonly projectKey: string; readonly filter: AgentFilter },
): AsyncGenerator<ToldText> {
  const agent = agentClause(filter, "agent_id");
  const ids = await firstColumn(
    sql,
    `SELECT id FROM observations WHERE seq IN
       (SELECT seq FROM observations WHERE project_key = ?${agent.text}
        ORDER BY timestamp DESC, seq DESC LIMIT ${newestOfProject})
       AND consolidated_at IS NULL
       AND (${isAnswerSql} OR type = 'command_run' AND title LIKE '%commit%' AND NOT ${hasExitMarkSql})
     ORDER BY timestamp DESC, seq DESC LIMIT ${mostTexts}`,
    [projectKey, ...agent.args],
  );
  const giveTurn = turnGiver();
  for (const some of chunksOf(ids, readAtOnce))
    for (const row of await rowsOf(sql, some)) {
      await giveTurn();
      const text = textOf(row);
      if (text !== undefined) {
        const { told: _json, isAnswer, concepts, ...known } = row;
        yield { ...known, concepts: textsIn(concepts), kind: isAnswer === 1 ? "answer" : "commit", text };
      }
    }
}

function rowsOf(sql: Sql, ids: readonly string[]): Promise<Row[]> {
  return sql.all<Row>(
    `SELECT id, seq, session_id AS sessionId, timestamp, concepts, ${isAnswerSql} AS isAnswer,
       iif(${isAnswerSql}, ${eventField("assistantResponse")}, ${eventField("toolInput")}) AS told
     FROM observations CROSS JOIN raw_events ON raw_events.observation_id = observations.id
     WHERE id IN (SELECT value FROM json_each(?))
     ORDER BY timestamp DESC, seq DESC`,
    [JSON.stringify(ids)],
  );
}

function textOf({ isAnswer, told }: Row): string | undefined {
  if (told === null) return undefined;
  const value: unknown = JSON.parse(told);
  if (isAnswer === 1) return typeof value === "string" ? value : undefined;
  const { command } = inputPartsOf(value);
  return command === undefined ? undefined : commitMessageIn(command);
}
