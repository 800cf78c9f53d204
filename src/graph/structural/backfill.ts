import type { Ground } from "../../ground.ts";
import type { JobHandler } from "../../jobs/worker.ts";
import type { Sql } from "../../store/sql.ts";
import { type AttachedRow, attachRows } from "./attach.ts";

/** Reads rows of one kind after a position; returns the position to go on from, undefined at the end. */
type RowsAfter<Place> = (
  sql: Sql,
  place: Place,
  limit: number,
) => Promise<{ rows: AttachedRow[]; last: Place | undefined }>;

interface RowReaders {
  readonly observations: RowsAfter<number>;
  readonly memories: RowsAfter<string>;
}

export const backfillJobKind = "graph.backfill";

/** So few that other writers wait only some hundredths of a second for each transaction. */
const rowsPerWrite = 100;

/**
 * Makes the structural layer of rows that have none: those stored before there was a graph, and all rows after a reset.
 * Rows that have it are passed over, so a run that was interrupted is simply run again.
 */
export function backfillHandler(ground: Ground, readers: RowReaders): JobHandler {
  return {
    kind: backfillJobKind,
    isSlow: true,
    run: async () => {
      await attachAll(ground, readers.observations, 0);
      await attachAll(ground, readers.memories, "");
    },
  };
}

async function attachAll<Place>(ground: Ground, read: RowsAfter<Place>, from: Place): Promise<void> {
  for (let place: Place | undefined = from; place !== undefined; ) {
    const at: Place = place;
    place = await ground.store.write(async (tx) => {
      const { rows, last } = await read(tx.sql, at, rowsPerWrite);
      await attachRows(tx.sql, ground, rows);
      return last;
    });
  }
}
