import { partReader, type Read } from "../../../store/row-reader.ts";
import { firstNumber, type Sql } from "../../../store/sql.ts";
import { turnGiver } from "../../../store/turns.ts";
import { observations } from "../tables.ts";

/** How many of a session's newest observations a summary is made from. */
const observationsPerSession = 5_000;
/** Reading this many takes some milliseconds. */
const rowsAtOnce = 500;

const part = partReader(observations, [
  ...(["seq", "timestamp", "type", "hookType", "title", "narrative", "facts", "concepts"] as const),
  ...(["files", "importance", "toolName", "subtitle"] as const),
]);
type Placed = Read<typeof part>;
export type SessionObservation = Omit<Placed, "seq">;

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
  const newestFirst: Placed[] = [];
  let last: Placed | undefined;
  do {
    const most = Math.min(rowsAtOnce, observationsPerSession - newestFirst.length);
    const before = last === undefined ? "" : "AND (timestamp, seq) < (?3, ?4)";
    const rows: Placed[] = await part.rows(
      sql,
      `SELECT ${part.columns} FROM observations WHERE session_id = ?1 AND seq <= ?2 ${before} ORDER BY timestamp DESC, seq DESC LIMIT ${most}`,
      [sessionId, newest, ...(last === undefined ? [] : [last.timestamp, last.seq])],
    );
    newestFirst.push(...rows);
    last = rows.length < most || newestFirst.length === observationsPerSession ? undefined : rows.at(-1);
    await giveTurn();
  } while (last !== undefined);
  return { observations: newestFirst.reverse(), newest, stored };
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
