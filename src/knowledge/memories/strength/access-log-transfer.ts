import * as z from "zod";
import type { Writing } from "../../../governance/transfer/collection.ts";
import { FileId, FileTime } from "../../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../../governance/transfer/table-collection.ts";
import { timeText } from "../../../operation/fields.ts";
import { hasRow } from "../../../store/sql.ts";
import { TableRows } from "../../../store/table-rows.ts";
import { accessLogs } from "../tables.ts";

/** The access logs of memories and observations. */
export const accessLogCollection = tableCollection({
  name: "accessLogs",
  rows: new TableRows(accessLogs, { key: ["memoryId"] }),
  schema: z.object({
    memoryId: FileId,
    count: z.number().int().min(0),
    lastAt: FileTime,
    recent: z.array(FileTime).default(() => []),
  }),
  record: (row) => ({ ...row, lastAt: timeText(row.lastAt), recent: row.recent.map(timeText) }),
  row: async (given, { tx }) => {
    const isMissing = await hasRow(
      tx.sql,
      `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM memories WHERE id = ?1)
         AND NOT EXISTS (SELECT 1 FROM observations WHERE id = ?1)`,
      [given.memoryId],
    );
    return isMissing ? "an access log of a record that does not exist was left out" : given;
  },
  changedAt: ({ lastAt }) => lastAt,
  settle: dropForgotten,
});

/** An import that replaces only memories or observations leaves the logs of deleted ones. */
async function dropForgotten({ tx, strategy }: Writing): Promise<void> {
  if (strategy !== "replace") return;
  await tx.sql.run(
    `DELETE FROM access_logs WHERE NOT EXISTS (SELECT 1 FROM memories WHERE id = memory_id)
       AND NOT EXISTS (SELECT 1 FROM observations WHERE id = memory_id)`,
  );
}
