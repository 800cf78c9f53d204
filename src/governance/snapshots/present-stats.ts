import { firstRow, type Sql } from "../../store/sql.ts";
import type { SnapshotStats } from "./record.ts";

/** The present counts of the rows that a snapshot's statistics report. */
export async function presentStats(sql: Sql): Promise<SnapshotStats> {
  const row = await firstRow<SnapshotStats>(
    sql,
    `SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM observations) AS observations,
       (SELECT count(*) FROM memories) AS memories, (SELECT count(*) FROM graph_nodes) AS graphNodes`,
  );
  return row ?? { sessions: 0, observations: 0, memories: 0, graphNodes: 0 };
}
