import { textsIn, type WithJson } from "../../../store/json-columns.ts";
import { firstRow, type Sql } from "../../../store/sql.ts";

/** The newest of a session's observations that a summary is made of. */
const happeningsPerSession = 5_000;

export interface Happening {
  readonly type: string;
  readonly hookType: string;
  readonly title: string;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  readonly importance: number;
  readonly toolName: string | null;
}

type HappeningRow = WithJson<Happening, "facts" | "concepts" | "files"> & { readonly seq: number };

/** What is known of a session at a time. */
export interface SessionReading {
  /** In the order of time. */
  readonly happenings: readonly Happening[];
  /** Row number of the newest arrival. */
  readonly newest: number;
  /** Observations up to that one, read or not. */
  readonly stored: number;
}

export async function happeningsOf(sql: Sql, sessionId: string): Promise<SessionReading> {
  const rows = await sql.all<HappeningRow>(
    `SELECT seq, type, hook_type AS hookType, title, narrative, facts, concepts, files, importance, tool_name AS toolName
     FROM observations WHERE session_id = ? ORDER BY timestamp DESC, seq DESC LIMIT ${happeningsPerSession}`,
    [sessionId],
  );
  const happenings = rows.reverse().map(({ seq: _seq, ...row }) => ({
    ...row,
    facts: textsIn(row.facts),
    concepts: textsIn(row.concepts),
    files: textsIn(row.files),
  }));
  const newest = rows.reduce((highest, { seq }) => Math.max(highest, seq), 0);
  return { happenings, newest, stored: await storedUpTo(sql, sessionId, newest) };
}

/** Whether everything that a reading saw is still there; what came since is no change of it. */
export async function isUnchanged(sql: Sql, sessionId: string, reading: SessionReading): Promise<boolean> {
  return (await storedUpTo(sql, sessionId, reading.newest)) === reading.stored;
}

async function storedUpTo(sql: Sql, sessionId: string, newest: number): Promise<number> {
  const row = await firstRow<{ n: number }>(
    sql,
    "SELECT count(*) AS n FROM observations WHERE session_id = ? AND seq <= ?",
    [sessionId, newest],
  );
  return row?.n ?? 0;
}
