import { firstRow, type Sql } from "../store/sql.ts";

/** The logs of changes, one row per change; written by triggers. */
export type ChangeLog = "vector_changes" | "document_changes";

/** How many changes a log keeps, at least. A reader that is further behind has to read everything again. */
export const keptChanges = 65_536;
export const prunedEvery = 4_096;

/** A position in a log of changes; change 0 is before the first change. */
export interface LogPosition {
  readonly change: number;
  /** The random stamp of that change. The same number with another stamp belongs to the history of another database. */
  readonly stamp: number;
}

interface Changes {
  readonly documentIds: readonly number[];
  /** The last change that was read. */
  readonly position: LogPosition;
  readonly isLast: boolean;
}

export async function currentPosition(sql: Sql, log: ChangeLog): Promise<LogPosition> {
  const newest = await firstRow<LogPosition>(
    sql,
    `SELECT change, stamp FROM ${log} ORDER BY change DESC LIMIT 1`,
  );
  return newest === undefined ? beginning : { change: newest.change, stamp: newest.stamp };
}

/** The changes after a position; undefined if the log does not contain that position, any longer or at all. */
export async function changesAfter(
  sql: Sql,
  log: ChangeLog,
  after: LogPosition,
  limit: number,
): Promise<Changes | undefined> {
  const rows = await sql.all<LogPosition & { documentId: number }>(
    `SELECT change, stamp, document_id AS documentId FROM ${log}
     WHERE change >= ? ORDER BY change LIMIT ?`,
    [after.change, limit + 1],
  );
  const following = after.change === 0 ? rows : rows.slice(1);
  const isKnown = after.change === 0 ? (rows[0]?.change ?? 1) === 1 : isSame(rows[0], after);
  if (!isKnown) return undefined;
  const last = following.at(-1) ?? after;
  return {
    documentIds: [...new Set(following.map(({ documentId }) => documentId))],
    position: { change: last.change, stamp: last.stamp },
    isLast: rows.length <= limit,
  };
}

const beginning: LogPosition = { change: 0, stamp: 0 };

function isSame(row: LogPosition | undefined, position: LogPosition): boolean {
  return row !== undefined && row.change === position.change && row.stamp === position.stamp;
}
