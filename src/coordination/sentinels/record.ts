import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import { actionCount } from "../actions/record.ts";
import type { sentinels } from "./tables.ts";

export const SentinelStatus = z.enum(["watching", "triggered", "cancelled", "expired"]);
export type SentinelStatus = z.infer<typeof SentinelStatus>;

export const SentinelType = z.enum(["webhook", "timer", "threshold", "pattern", "approval", "custom"]);
export type SentinelType = z.infer<typeof SentinelType>;

export const Sentinel = z
  .object({
    id: z.string().describe("id of the sentinel"),
    name: z.string().describe("what is watched for"),
    type: SentinelType.describe("webhook, timer, threshold, pattern, approval, or custom"),
    status: SentinelStatus.describe("watching until it is triggered, is cancelled, or expires"),
    config: z.record(z.string(), z.unknown()).describe("what its kind needs to know"),
    result: z.unknown().optional().describe("what triggered it"),
    createdAt: TimeText.describe("when it was made"),
    triggeredAt: TimeText.optional().describe("when it was triggered"),
    expiresAt: TimeText.optional().describe("until when it watches"),
    escalatedAt: TimeText.optional().describe("when everybody was told that it expired before its actions"),
    linkedActionIds: z.array(z.string()).describe("actions that it was created to block"),
  })
  .meta({ id: "Sentinel" });
export type Sentinel = z.infer<typeof Sentinel>;

export const ListedSentinel = Sentinel.extend(actionCount);
export type ListedSentinel = z.infer<typeof ListedSentinel>;

export type SentinelRow = typeof sentinels.$inferSelect;

export function sentinelRecord(row: SentinelRow): Sentinel {
  return recordOfRow(Sentinel, row, {
    createdAt: timeText(row.createdAt),
    triggeredAt: timeText(row.triggeredAt),
    expiresAt: timeText(row.expiresAt),
    escalatedAt: timeText(row.escalatedAt),
  });
}
