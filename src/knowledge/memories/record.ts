import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import { roundTo } from "../../round-to.ts";
import { MemoryOrigin } from "./memory-origin.ts";
import { shownStrength } from "./strength/strength.ts";
import type { memories } from "./tables.ts";

export const MemoryType = z.enum(["pattern", "preference", "architecture", "bug", "workflow", "fact"]);
export type MemoryType = z.infer<typeof MemoryType>;

export const Memory = z
  .object({
    id: z.string().describe("id of this version"),
    title: z.string().describe("short title"),
    presentTitle: z
      .string()
      .optional()
      .describe("better name, if its title is only the beginning of an earlier version's text"),
    content: z.string().describe("text of the memory"),
    type: MemoryType.describe("what kind of knowledge it is"),
    concepts: z.array(z.string()).describe("tags"),
    files: z.array(z.string()).describe("related paths"),
    strength: z.number().describe("0 to 1, computed when read: grows on recall, fades with time"),
    version: z.number().int().describe("from 1"),
    isLatest: z.boolean().describe("whether it is the newest of its versions"),
    latestId: z
      .string()
      .optional()
      .describe("for an earlier version that is shown by itself: the newest version"),
    project: z.string().optional().describe("project it belongs to"),
    agentId: z.string().optional().describe("agent it belongs to"),
    sourceObservationIds: z.array(z.string()).describe("observations it was derived from"),
    forgetAfter: TimeText.optional().describe("from this time it is left out of every recall"),
    createdAt: TimeText.describe("when this version was made"),
    updatedAt: TimeText.describe("last change of content, links or flags"),
    sessionIds: z.array(z.string()).describe("sessions it comes from"),
    parentId: z.string().optional().describe("the version before"),
    supersedes: z.array(z.string()).describe("all earlier versions, nearest first"),
    relatedIds: z.array(z.string()).describe("memories connected by a relation"),
    recallCount: z.number().int().describe("counted recalls"),
    lastRecalledAt: TimeText.optional().describe("last counted recall"),
    stabilityDays: z.number().describe("stability of the strength curve"),
    origin: MemoryOrigin.optional().describe("where it came from"),
  })
  .meta({ id: "Memory" });
export type Memory = z.infer<typeof Memory>;

export type MemoryRow = typeof memories.$inferSelect;

export function memoryRecord(row: MemoryRow, now: number): Memory {
  return recordOfRow(Memory, row, {
    strength: shownStrength(row, now),
    forgetAfter: timeText(row.forgetAfter),
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
    lastRecalledAt: timeText(row.lastRecalledAt),
    stabilityDays: roundTo(row.stabilityDays, 1),
  });
}
