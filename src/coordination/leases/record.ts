import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import { hourMs } from "../../time/durations.ts";
import type { leases } from "./tables.ts";

/** How long a lease may last without being renewed. */
export const longestLeaseMs = hourMs;

export const LeaseStatus = z.enum(["active", "expired", "released"]);
export type LeaseStatus = z.infer<typeof LeaseStatus>;

export const Lease = z
  .object({
    id: z.string().describe("id of the lease"),
    actionId: z.string().describe("action that it is for"),
    agentId: z.string().describe("who holds or held it"),
    acquiredAt: TimeText.describe("when it was taken"),
    expiresAt: TimeText.describe("when it ends unless it is renewed"),
    renewedAt: TimeText.optional().describe("when it was last renewed"),
    status: LeaseStatus.describe("active, expired, or released"),
  })
  .meta({ id: "Lease" });
export type Lease = z.infer<typeof Lease>;

export type LeaseRow = typeof leases.$inferSelect;

export function leaseRecord(row: LeaseRow): Lease {
  return recordOfRow(Lease, row, {
    acquiredAt: timeText(row.acquiredAt),
    expiresAt: timeText(row.expiresAt),
    renewedAt: timeText(row.renewedAt),
  });
}
