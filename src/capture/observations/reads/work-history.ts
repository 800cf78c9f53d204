import { textsIn } from "../../../store/json-columns.ts";
import type { Sql } from "../../../store/sql.ts";
import { callBegin } from "../calls/tool-hooks.ts";
import { type RanCommand, type RanRow, ranColumn, ranCommand } from "../commands/ran-command.ts";
import { newestPerSession } from "./history.ts";

export interface Work extends RanCommand {
  readonly id: string;
  readonly sessionId: string;
  readonly type: string;
  readonly title: string;
  readonly toolName: string | null;
  /** Empty for commands, where files are not needed. */
  readonly files: readonly string[];
}

/**
 * Changes, commands and errors among the newest observations of each session, in the order of time, without
 * mere starts of calls.
 */
export async function workOf(sql: Sql, sessionIds: readonly string[]): Promise<Work[]> {
  const rows = await sql.all<RanRow<Work, "files">>(
    `WITH asked(session) AS (SELECT value FROM json_each(?))
     SELECT id, session_id AS sessionId, type, title, compression, tool_name AS toolName,
       CASE type WHEN 'command_run' THEN '[]' ELSE files END AS files, ${ranColumn}
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
    ...ranCommand({ ...row, compression, ran }),
  }));
}
