import { textsIn, type WithJson } from "../../../store/json-columns.ts";
import { firstNumber, type Sql } from "../../../store/sql.ts";
import { turnGiver } from "../../../store/turns.ts";

/** The newest of a session's observations that a summary is made of. */
const observationsPerSession = 5_000;
/** So many are read in some milliseconds. */
const rowsAtOnce = 500;

export interface SessionObservation {
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
  readonly timestamp: number;
};

/** What is known of a session at a time. */
export interface SessionReading {
  /** In the order of time. */
  readonly observations: readonly SessionObservation[];
  /** Row number of the newest arrival. */
  readonly newest: number;
  /** Observations up to that one, read or not. */
  readonly stored: number;
}

/** Reads them in parts, between which the event loop gets its turns: what arrives meanwhile is not in the reading. */
export async function readSession(sql: Sql, sessionId: string): Promise<SessionReading> {
  const giveTurn = turnGiver();
  const newest = await newestOf(sql, sessionId);
  // Counted first: of what goes while others are read, the reading then tells that it is not whole.
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

function sessionObservation({
  seq: _seq,
  timestamp: _timestamp,
  ...row
}: SessionObservationRow): SessionObservation {
  return {
    ...row,
    facts: textsIn(row.facts),
    concepts: textsIn(row.concepts),
    files: textsIn(row.files),
  };
}

/** Whether everything that a reading saw is still there; what came since is no change of it. */
export async function isUnchanged(sql: Sql, sessionId: string, reading: SessionReading): Promise<boolean> {
  return (await storedUpTo(sql, sessionId, reading.newest)) === reading.stored;
}

/** Row number of the newest arrival; 0 where there is none. */
export function newestOf(sql: Sql, sessionId: string): Promise<number> {
  return firstNumber(sql, "SELECT max(seq) FROM observations WHERE session_id = ?", [sessionId]);
}

function storedUpTo(sql: Sql, sessionId: string, newest: number): Promise<number> {
  const counted = "SELECT count(*) FROM observations WHERE session_id = ? AND seq <= ?";
  return firstNumber(sql, counted, [sessionId, newest]);
}
