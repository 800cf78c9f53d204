import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import { accessStrengthAt } from "../decay/access-strength.ts";
import type { proceduralMemories } from "./tables.ts";

export const ProceduralMemory = z
  .object({
    id: z.string().describe("id of the procedure"),
    name: z.string().describe("its name"),
    steps: z.array(z.string()).describe("what is done, in order"),
    triggerCondition: z.string().describe("when it is done"),
    expectedOutcome: z.string().optional().describe("what comes of it"),
    frequency: z.number().int().describe("how often it was found"),
    project: z.string().optional().describe("project it belongs to"),
    agentId: z.string().optional().describe("agent it belongs to"),
    sourceSessionIds: z.array(z.string()).describe("sessions that it was derived from"),
    sourceObservationIds: z.array(z.string()).describe("observations that it was derived from"),
    tags: z.array(z.string()).describe("tags"),
    concepts: z.array(z.string()).describe("what it is about"),
    strength: z.number().describe("0 to 1, computed when read: fades while it is not found again"),
    provider: z.string().describe("who derived it: a model provider, or extractive for rules"),
    createdAt: TimeText.describe("when it was first derived"),
    updatedAt: TimeText.describe("last change"),
  })
  .meta({ id: "ProceduralMemory" });
export type ProceduralMemory = z.infer<typeof ProceduralMemory>;

export type ProcedureRow = typeof proceduralMemories.$inferSelect;

/**
 * A procedure as answers show it. Each period of `periodDays` without access takes a tenth of its strength.
 */
export function procedureRecord(row: ProcedureRow, now: number, periodDays: number): ProceduralMemory {
  return recordOfRow(ProceduralMemory, row, {
    strength: accessStrengthAt(row, now, periodDays),
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  });
}
