import { firstColumn, type Sql } from "../../store/sql.ts";
import { callBegin, callEnds } from "./calls/tool-hooks.ts";

/** How many observations after the start of a tool call its end is searched: calls may run in parallel. */
const farthest = 64;
const endsInSql = callEnds.map((hook) => `'${hook}'`).join(", ");

/**
 * Hooks report a tool call twice, before and after it. Returns the id of the end by the id of the start, for
 * those of the observations that are starts and have an end. The unary plus keeps SQLite from reading whole
 * sessions.
 */
export async function callEndIds(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.all<{ start: string; end: string | null }>(
    `SELECT started.id AS start, (SELECT later.id FROM observations AS later
       WHERE later.seq > started.seq AND later.seq <= started.seq + ${farthest}
         AND +later.session_id = started.session_id AND later.tool_name = started.tool_name
         AND later.subtitle IS started.subtitle AND later.hook_type IN (${endsInSql})
       ORDER BY later.seq LIMIT 1) AS end
     FROM json_each(?) AS asked CROSS JOIN observations AS started ON started.id = asked.value
     WHERE started.hook_type = '${callBegin}'`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.flatMap(({ start, end }) => (end === null ? [] : [[start, end] as const])));
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
