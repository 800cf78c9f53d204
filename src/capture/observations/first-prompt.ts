import type { Sql } from "../../store/sql.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { beginsWith } from "../../text/cut.ts";
import { withoutTerminalEscapes } from "../../text/terminal-escapes.ts";
import { promptOf, renameByPrompts } from "../sessions/activity.ts";
import { longestSessionName } from "../sessions/record.ts";
import { wordsOfUser } from "./prose/agent-notes.ts";
import { eventField } from "./stored-event.ts";

/*
 * A session is named after its first captured prompt. If that observation is deleted, the name is replaced
 * too.
 */

const readAtOnce = 20;

/** The name that a prompt gives its session; undefined when the user wrote none of it. */
export function nameFromPrompt(userPrompt: string | undefined): string | undefined {
  const prompt = wordsOfUser(withoutTerminalEscapes(userPrompt ?? ""))
    .replace(/\s+/gu, " ")
    .trim();
  return prompt === "" ? undefined : cutCodePoints(prompt, longestSessionName);
}

interface StoredPrompt {
  readonly timestamp: number;
  readonly seq: number;
  readonly title: string;
  /** The prompt as the user wrote it; null for imported observations of which only the title is stored. */
  readonly text: string | null;
}

const storedPrompts = `SELECT timestamp, seq, title, ${eventField("userPrompt")} ->> '$' AS text
  FROM observations LEFT JOIN raw_events ON observation_id = id
  WHERE session_id = ?1 AND hook_type = 'prompt_submit'`;

/** Whether a session is named after the prompt of one of these observations, which must still exist. */
export async function isNamedByAny(
  sql: Sql,
  sessionId: string,
  ids: readonly string[] | undefined,
): Promise<boolean> {
  const name = await promptOf(sql, sessionId);
  if (name === undefined) return false;
  const only = ids === undefined ? "" : " AND id IN (SELECT value FROM json_each(?2))";
  const args = ids === undefined ? [sessionId] : [sessionId, JSON.stringify(ids)];
  const prompts = await sql.all<StoredPrompt>(`${storedPrompts}${only}`, args);
  return prompts.some(({ title, text }) =>
    text === null ? beginsWith(name, title) : nameFromPrompt(text) === name,
  );
}

/** Names a session after its earliest remaining prompt. */
export async function nameByPromptLeft(sql: Sql, sessionId: string): Promise<void> {
  await renameByPrompts(sql, sessionId, namesLeft(sql, sessionId));
}

async function* namesLeft(sql: Sql, sessionId: string): AsyncGenerator<string> {
  let after: Pick<StoredPrompt, "timestamp" | "seq"> | undefined;
  do {
    const page: StoredPrompt[] = await sql.all<StoredPrompt>(
      `${storedPrompts}${after === undefined ? "" : " AND (timestamp, seq) > (?3, ?4)"}
       ORDER BY timestamp, seq LIMIT ?2`,
      [sessionId, readAtOnce, ...(after === undefined ? [] : [after.timestamp, after.seq])],
    );
    for (const { title, text } of page) {
      const name = nameFromPrompt(text ?? title);
      if (name !== undefined) yield name;
    }
    after = page.length < readAtOnce ? undefined : page.at(-1);
  } while (after !== undefined);
}
