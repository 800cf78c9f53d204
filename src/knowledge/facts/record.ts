import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import { accessStrengthAt } from "../decay/access-strength.ts";
import type { semanticMemories } from "./tables.ts";

export const SemanticMemory = z
  .object({
    id: z.string().describe("id of the fact"),
    fact: z.string().describe("the fact"),
    confidence: z.number().describe("confidence, 0 to 1"),
    project: z.string().optional().describe("project it belongs to"),
    agentId: z.string().optional().describe("agent it belongs to"),
    sourceSessionIds: z.array(z.string()).describe("sessions that it was derived from"),
    sourceMemoryIds: z.array(z.string()).describe("memories that it was derived from"),
    accessCount: z.number().int().describe("how often it was found again"),
    lastAccessedAt: TimeText.describe("when it was last found"),
    strength: z.number().describe("0 to 1, computed when read: fades while it is not found again"),
    provider: z.string().describe("who derived it: a model provider, or extractive for rules"),
    lastStatedAt: TimeText.optional().describe("when the newest of its sessions that still exist began"),
    replacedBy: z
      .string()
      .optional()
      .describe("id of a later fact of the same list that clearly replaces what this one decided"),
    createdAt: TimeText.describe("when it was first derived"),
    updatedAt: TimeText.describe("last change"),
  })
  .meta({ id: "SemanticMemory" });
export type SemanticMemory = z.infer<typeof SemanticMemory>;

export type FactRow = typeof semanticMemories.$inferSelect;

/** A fact as answers show it. Each period of `periodDays` without access takes a tenth of its strength. */
export function factRecord(row: FactRow, now: number, periodDays: number): SemanticMemory {
  return recordOfRow(SemanticMemory, row, {
    lastAccessedAt: timeText(row.lastAccessedAt),
    strength: accessStrengthAt(row, now, periodDays),
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  });
}
