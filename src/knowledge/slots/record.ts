import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import type { memorySlots } from "./tables.ts";

export const SlotScope = z.enum(["project", "global"]);
export type SlotScope = z.infer<typeof SlotScope>;

/** How many characters a slot may hold at most, and if nothing else is said. */
export const slotSize = { most: 20_000, usual: 2_000 } as const;

export const SlotLabel = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/u, "must be lower-case letters, digits and _, at most 64, a letter first");

export const MemorySlot = z
  .object({
    label: z.string().describe("name of the slot"),
    content: z.string().describe("its content; may be empty"),
    sizeLimit: z.number().int().describe("characters that it may hold"),
    description: z.string().describe("what it is for; may be empty"),
    pinned: z.boolean().describe("whether it is in the context block when it is not empty"),
    readOnly: z.boolean().describe("whether it can neither be changed nor deleted"),
    scope: SlotScope.describe("project, or global for all projects"),
    project: z.string().optional().describe("its project; absent for global ones and the default project"),
    agentId: z.string().optional().describe("its agent, where agents are isolated"),
    createdAt: TimeText.describe("when it was created; 1970 for a default slot that was never written"),
    updatedAt: TimeText.describe("last change, as createdAt"),
  })
  .meta({ id: "MemorySlot" });
export type MemorySlot = z.infer<typeof MemorySlot>;

export type SlotRow = typeof memorySlots.$inferSelect;

export function slotRecord(row: SlotRow): MemorySlot {
  return recordOfRow(MemorySlot, row, {
    agentId: row.agentId === "" ? null : row.agentId,
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  });
}
