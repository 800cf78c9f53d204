import { textsIn, type WithJson } from "../../../store/json-columns.ts";
import { firstNumber, type Sql } from "../../../store/sql.ts";
import { turnGiver } from "../../../store/turns.ts";

/** How many of a session's newest observations a summary is made from. */
const observationsPerSession = 5_000;
/** Reading this many takes some milliseconds. */
const rowsAtOnce = 500;

export interface SessionObservation {
  readonly timestamp: number;
  readonly type: string;
  readonly hookType: string;
  readonly title: string;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  readonly importance: number;
  readonly toolName: string | null;
  readonly subtitle: string | null;
}

type SessionObservationRow = WithJson<SessionObservation, "facts" | "concepts" | "files"> & {
  readonly seq: number;
};

/** The state of a session at a time. */
export interface SessionReading {
  /** In the order of time. */
  readonly observations: readonly SessionObservation[];
  /** The `seq` of the newest observation. */
  readonly newest: number;
  /** The number of observations up to that one, read or not. */
  readonly stored: number;
}

/** Reads a session in parts, between which other work runs. What arrives meanwhile is not included. */
export async function readSession(sql: Sql, sessionId: string): Promise<SessionReading> {
  const giveTurn = turnGiver();
  const newest = await newestOf(sql, sessionId);
  // Counted first: if observations are deleted during the reading, the count shows that it is not complete.
  const stored = await storedUpTo(sql, sessionId, newest);
  const newestFirst: SessionObservation[] = [];
  let last: SessionObservationRow | undefined;
  do {
    const most = Math.min(rowsAtOnce, observationsPerSession - newestFirst.length);
    const before = last === undefined ? "" : "AND (timestamp, seq) < (?3, ?4)";
    const rows: SessionObservationRow[] = await sql.all<SessionObservationRow>(
      `SELECT seq, timestamp, type, hook_type AS hookType, title, narrative, facts, concepts, files, importance,
         tool_name AS toolName, subtitle
       FROM observations WHERE session_id = ?1 AND seq <= ?2 ${before} ORDER BY timestamp DESC, seq DESC LIMIT ${most}`,
      [sessionId, newest, ...(last === undefined ? [] : [last.timestamp, last.seq])],
    );
    newestFirst.push(...rows.map(sessionObservation));
    last = rows.length < most || newestFirst.length === observationsPerSession ? undefined : rows.at(-1);
    await giveTurn();
  } while (last !== undefined);
  return { observations: newestFirst.reverse(), newest, stored };
}

function sessionObservation({ seq: _seq, ...row }: SessionObservationRow): SessionObservation {
  return {
    ...row,
    facts: textsIn(row.facts),
    concepts: textsIn(row.concepts),
    files: textsIn(row.files),
  };
}

/** Whether everything that was read still exists; observations that came later do not matter. */
export async function isUnchanged(sql: Sql, sessionId: string, reading: SessionReading): Promise<boolean> {
  return (await storedUpTo(sql, sessionId, reading.newest)) === reading.stored;
}

/** The `seq` of the newest observation; 0 when there is none. */
export function newestOf(sql: Sql, sessionId: string): Promise<number> {
  return firstNumber(sql, "SELECT max(seq) FROM observations WHERE session_id = ?", [sessionId]);
}

function storedUpTo(sql: Sql, sessionId: string, newest: number): Promise<number> {
  const counted = "SELECT count(*) FROM observations WHERE session_id = ? AND seq <= ?";
  return firstNumber(sql, counted, [sessionId, newest]);
}
