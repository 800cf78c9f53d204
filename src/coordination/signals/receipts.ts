import { groupBy } from "../../group-by.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";

/** Who read a signal, and when first. Times are milliseconds since 1970. */
interface Receipt {
  readonly signalId: string;
  readonly reader: string;
  readonly readAt: number;
}

/** Records who has read signals; existing receipts stay. Returns the ids of signals with a new receipt. */
export async function markAsRead(sql: Sql, receipts: readonly Receipt[]): Promise<string[]> {
  const ids = await firstColumn(
    sql,
    `INSERT INTO signal_receipts (signal_id, reader, read_at)
     SELECT value ->> 'signalId', value ->> 'reader', value ->> 'readAt' FROM json_each(?) WHERE true
     ON CONFLICT (signal_id, reader) DO NOTHING RETURNING signal_id`,
    [JSON.stringify(receipts)],
  );
  const read = [...new Set(ids)];
  await sql.run(
    "UPDATE signals SET is_read = 1 WHERE id IN (SELECT value FROM json_each(?)) AND is_read = 0",
    [JSON.stringify(read)],
  );
  return read;
}

/** The receipts of signals, by signal id, in the order of reading. */
export async function receiptsOf(sql: Sql, signalIds: readonly string[]): Promise<Map<string, Receipt[]>> {
  const rows = await sql.all<Receipt>(
    `SELECT signal_id AS signalId, reader, read_at AS readAt FROM signal_receipts
     WHERE signal_id IN (SELECT value FROM json_each(?)) ORDER BY signal_id, read_at, reader`,
    [JSON.stringify(signalIds)],
  );
  return groupBy(rows, ({ signalId }) => signalId);
}
