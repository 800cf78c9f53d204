import { firstRow, type Sql } from "../store/sql.ts";

/** The logs that triggers keep, each with a row a change. */
export type ChangeLog = "vector_changes" | "document_changes";

/** How many changes a log keeps: whoever is further behind reads everything anew. */
export const keptChanges = 65_536;
export const prunedEvery = 4_096;

/** A place in a log of changes; change 0 is before the first. */
export interface LogPosition {
  readonly change: number;
  /** The stamp of that change: the same number with another stamp belongs to another history. */
  readonly stamp: number;
}

export interface Changes {
  readonly documentIds: readonly number[];
  /** Where the log was read up to. */
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

/** What changed after a place, undefined when the log no longer or never had that place. */
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
