import type { Sql } from "../../store/sql.ts";
import { callBegin } from "./calls/tool-hooks.ts";

interface RunRow {
  readonly id: string;
  readonly sessionId: string;
  readonly type: string;
  readonly title: string;
  readonly subtitle: string | null;
}

/**
 * For each of the observations that tells how a command's run ended, a key that it shares with the runs of the same
 * command in the same session that ended alike: titles contain exit codes and errors. Commands that were cut have none.
 */
export async function runKeys(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.all<RunRow>(
    `SELECT ran.id, ran.session_id AS sessionId, ran.type, ran.title, ran.subtitle
     FROM json_each(?) AS asked CROSS JOIN observations AS ran ON ran.id = asked.value
     WHERE ran.type IN ('command_run', 'error') AND ran.hook_type <> '${callBegin}'`,
    [JSON.stringify(ids)],
  );
  return new Map(
    rows.flatMap(({ id, sessionId, type, title, subtitle }) => {
      // Agents describe the same command in other words each time.
      const command = subtitle?.replace(/, description: .*$/u, "") ?? "";
      return command === "" || command.endsWith("…")
        ? []
        : [[id, JSON.stringify([sessionId, type, title, command])] as const];
    }),
  );
}
