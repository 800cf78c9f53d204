import { firstColumn, type Sql } from "../../store/sql.ts";
import { callBegin, callEnds } from "./calls/tool-hooks.ts";

/** Which observations tell the same as others of their session. */
export interface Repetitions {
  /** By the start of a tool call, which hooks report before and after it: the id of its end. */
  readonly callEndIds: ReadonlyMap<string, string>;
  /**
   * By a run of a command: a key that it shares with the runs of the same command that ended alike. Titles contain exit
   * codes and errors. Commands that were cut have none.
   */
  readonly runKeys: ReadonlyMap<string, string>;
}

interface Row {
  readonly id: string;
  readonly sessionId: string;
  readonly type: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly isStart: number;
  readonly endId: string | null;
}

/** How many observations after the start of a tool call its end is searched: calls may run in parallel. */
const farthest = 64;
const endsInSql = callEnds.map((hook) => `'${hook}'`).join(", ");
/** The unary plus keeps SQLite from reading whole sessions. */
const endOfCall = `(SELECT later.id FROM observations AS later
  WHERE later.seq > told.seq AND later.seq <= told.seq + ${farthest}
    AND +later.session_id = told.session_id AND later.tool_name = told.tool_name
    AND later.subtitle IS told.subtitle AND later.hook_type IN (${endsInSql})
  ORDER BY later.seq LIMIT 1)`;

/** The repetitions by id, of those of the observations that have any. */
export async function repetitionsOf(sql: Sql, ids: readonly string[]): Promise<Repetitions> {
  if (ids.length === 0) return { callEndIds: new Map(), runKeys: new Map() };
  const isStart = `told.hook_type = '${callBegin}'`;
  const rows = await sql.all<Row>(
    `SELECT told.id, told.session_id AS sessionId, told.type, told.title, told.subtitle, ${isStart} AS isStart,
       CASE WHEN ${isStart} THEN ${endOfCall} END AS endId
     FROM json_each(?) AS asked CROSS JOIN observations AS told ON told.id = asked.value
     WHERE ${isStart} OR told.type IN ('command_run', 'error')`,
    [JSON.stringify(ids)],
  );
  return {
    callEndIds: new Map(rows.flatMap(({ id, endId }) => (endId === null ? [] : [[id, endId]]))),
    runKeys: new Map(rows.flatMap((row) => (row.isStart === 1 ? [] : runKey(row)))),
  };
}

function runKey({ id, sessionId, type, title, subtitle }: Row): [id: string, key: string][] {
  // Agents describe the same command in other words each time.
  const command = subtitle?.replace(/, description: .*$/u, "") ?? "";
  const isWhole = command !== "" && !command.endsWith("…");
  return isWhole ? [[id, JSON.stringify([sessionId, type, title, command])]] : [];
}

/** The ids of the observations that are mere starts of tool calls. */
export async function callStartsAlone(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const begun = await firstColumn(
    sql,
    `SELECT begun.id FROM json_each(?) AS asked CROSS JOIN observations AS begun ON begun.id = asked.value
     WHERE begun.hook_type = '${callBegin}'`,
    [JSON.stringify(ids)],
  );
  return new Set(begun);
}
