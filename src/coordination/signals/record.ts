import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import type { signals } from "./tables.ts";

export const SignalType = z.enum(["info", "request", "response", "alert", "handoff"]);
export type SignalType = z.infer<typeof SignalType>;

export const Signal = z
  .object({
    id: z.string().describe("id of the signal"),
    from: z.string().describe("who sent it"),
    to: z.string().optional().describe("whom it is for; absent: everybody"),
    threadId: z.string().describe("thread that it belongs to"),
    replyTo: z.string().optional().describe("signal that it answers"),
    type: SignalType.describe("kind of message"),
    content: z.string().describe("what it says"),
    metadata: z.record(z.string(), z.unknown()).optional().describe("whatever the sender added"),
    createdAt: TimeText.describe("when it was sent"),
    readAt: TimeText.optional().describe("when the asking agent first read it"),
    expiresAt: TimeText.optional().describe("until when it is shown"),
  })
  .meta({ id: "Signal" });
export type Signal = z.infer<typeof Signal>;

export type SignalRow = typeof signals.$inferSelect;

/** A signal as answers show it; `readAt` is when the asking agent first read it. */
export function signalRecord(row: SignalRow, readAt: number | null = null): Signal {
  return recordOfRow(Signal, row, {
    from: row.sender,
    to: row.recipient,
    createdAt: timeText(row.createdAt),
    readAt: timeText(readAt),
    expiresAt: timeText(row.expiresAt),
  });
}
