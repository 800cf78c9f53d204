import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SignalType } from "./record.ts";

export const signals = sqliteTable(
  "signals",
  {
    id: text().primaryKey(),
    sender: text().notNull(),
    /** Null for a broadcast. */
    recipient: text(),
    threadId: text().notNull(),
    replyTo: text(),
    type: text().$type<SignalType>().notNull(),
    content: text().notNull(),
    metadata: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    /** Whether anybody but the sender has read it. */
    isRead: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [
    index("signals_recipient").on(table.recipient, table.createdAt),
    index("signals_sender").on(table.sender, table.createdAt),
    index("signals_expiry").on(table.expiresAt),
    index("signals_unread").on(table.isRead).where(sql`is_read = 0`),
  ],
);

/** Who has read a signal, and when first. */
export const signalReceipts = sqliteTable(
  "signal_receipts",
  {
    signalId: text().notNull(),
    reader: text().notNull(),
    readAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.signalId, table.reader] })],
);
