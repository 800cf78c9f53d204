import * as z from "zod";
import type { Collection } from "../../governance/transfer/collection.ts";
import { FileId, FileTime, RedactedObject, RedactedText } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { timeText } from "../../operation/fields.ts";
import { TableRows } from "../../store/table-rows.ts";
import { markAsRead, receiptsOf } from "./receipts.ts";
import { SignalType, signalRecord } from "./record.ts";
import { signals } from "./tables.ts";

const rows = new TableRows(signals, { key: ["id"] });

const SignalInFile = z.object({
  id: FileId,
  from: FileId,
  to: FileId.optional(),
  threadId: FileId,
  replyTo: FileId.optional(),
  type: SignalType.default("info"),
  content: RedactedText,
  metadata: RedactedObject.optional(),
  createdAt: FileTime,
  expiresAt: FileTime.optional(),
  receipts: z.array(z.object({ reader: FileId, readAt: FileTime })).default(() => []),
  readAt: FileTime.optional(),
});
type SignalInFile = z.output<typeof SignalInFile>;

const whole = tableCollection({
  name: "signals",
  rows,
  schema: SignalInFile,
  records: async (page, { connection: { sql } }) => {
    const receipts = await receiptsOf(
      sql,
      page.map(({ id }) => id),
    );
    return page.map((row) => ({
      ...signalRecord(row),
      receipts: (receipts.get(row.id) ?? []).map(({ reader, readAt }) => ({
        reader,
        readAt: timeText(readAt),
      })),
    }));
  },
  row: ({ from, to, receipts: _receipts, readAt: _readAt, ...given }) => ({
    ...given,
    sender: from,
    recipient: to ?? null,
    replyTo: given.replyTo ?? null,
    metadata: given.metadata ?? null,
    expiresAt: given.expiresAt ?? null,
    isRead: false,
  }),
  changedAt: ({ createdAt }) => createdAt,
  onClear: async ({ tx }) => {
    await tx.sql.run("DELETE FROM signal_receipts");
  },
  unite: (kept, other) => ({ ...kept, isRead: kept.isRead || other.isRead }),
});

/** Signals with their receipts, which are in a table of their own. */
export const signalCollection: Collection = {
  ...whole,
  put: async (writing, given) => {
    const { sql } = writing.tx;
    const records = given as SignalInFile[];
    const ids = JSON.stringify(records.map(({ id }) => id));
    const known = new Set(
      (await rows.select(sql, "WHERE id IN (SELECT value FROM json_each(?))", [ids])).map(({ id }) => id),
    );
    const written = await whole.put(writing, given);
    const taken = records.filter(({ id }) => !known.has(id) || writing.strategy !== "skip");
    const read = await markAsRead(
      sql,
      taken.flatMap((signal) => receiptsIn(signal).map((receipt) => ({ ...receipt, signalId: signal.id }))),
    );
    return Math.min(given.length, written + read.filter((id) => known.has(id)).length);
  },
};

/** Related programs write a signal without receipts, with the time at which its recipient read it. */
function receiptsIn({ to, readAt, receipts }: SignalInFile): SignalInFile["receipts"] {
  if (receipts.length > 0 || to === undefined || readAt === undefined) return receipts;
  return [{ reader: to, readAt }];
}
