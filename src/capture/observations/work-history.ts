import { textsIn } from "../../store/json-columns.ts";
import type { Sql } from "../../store/sql.ts";
import { callBegin, newestPerSession } from "./history.ts";

export interface Work {
  readonly id: string;
  readonly sessionId: string;
  readonly type: string;
  readonly title: string;
  readonly toolName: string | null;
  /** Of commands none: they are not asked for. */
  readonly files: readonly string[];
  /** What was run, where it is known. */
  readonly command: string | undefined;
  /** Whether the command ended with another exit code than 0. */
  readonly hasFailed: boolean;
}

interface WorkRow extends Omit<Work, "files" | "command" | "hasFailed"> {
  readonly compression: string;
  readonly files: string;
  /** Command and exit code as the event itself has them, for what a model has put in its own words. */
  readonly ran: string | null;
}

const failureSuffix = /\s*\(exit -?\d+\)$/u;

/** What was changed, run and went wrong in the newest of each session, in the order of time: not what was only begun. */
export async function workOf(sql: Sql, sessionIds: readonly string[]): Promise<Work[]> {
  const rows = await sql.all<WorkRow>(
    `WITH asked(session) AS (SELECT value FROM json_each(?))
     SELECT id, session_id AS sessionId, type, title, compression, tool_name AS toolName,
       CASE type WHEN 'command_run' THEN '[]' ELSE files END AS files,
       CASE WHEN compression = 'llm' AND type = 'command_run' THEN
         (SELECT json_object('command', json_extract(event, '$.toolInput.command'), 'exitCode',
           coalesce(json_extract(event, '$.toolOutput.exitCode'), json_extract(event, '$.toolOutput.exit_code')))
          FROM raw_events WHERE observation_id = observations.id) END AS ran
     FROM asked CROSS JOIN observations
     WHERE seq IN (SELECT seq FROM observations WHERE session_id = asked.session
       ORDER BY timestamp DESC, seq DESC LIMIT ${newestPerSession})
       AND type IN ('file_edit', 'file_write', 'command_run', 'error') AND hook_type <> '${callBegin}'
     ORDER BY session_id, timestamp, seq`,
    [JSON.stringify(sessionIds)],
  );
  return rows.map(({ compression, ran, files, ...row }) => ({
    ...row,
    files: files === "[]" ? [] : textsIn(files),
    ...(compression === "synthetic" ? commandIn(row) : commandOf(ran)),
  }));
}

type Command = Pick<Work, "command" | "hasFailed">;

/** Of a command that rules compressed, the title is its first line, with the exit code behind it when it failed. */
function commandIn({ type, title }: Pick<Work, "type" | "title">): Command {
  if (type !== "command_run") return { command: undefined, hasFailed: false };
  return { command: title.replace(failureSuffix, ""), hasFailed: failureSuffix.test(title) };
}

/** A model's titles do not tell the command, so it is read from the event itself. */
function commandOf(ran: string | null): Command {
  if (ran === null) return { command: undefined, hasFailed: false };
  // Written by the statement above.
  const { command, exitCode } = JSON.parse(ran) as { command: unknown; exitCode: unknown };
  return {
    command: typeof command === "string" ? command : undefined,
    hasFailed: exitCode !== null && Number(exitCode) !== 0,
  };
}
