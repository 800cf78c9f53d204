import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import type { crystals } from "./tables.ts";

export const Crystal = z
  .object({
    id: z.string().describe("id of the crystal"),
    narrative: z.string().describe("what was done, in the order in which it was finished"),
    keyOutcomes: z.array(z.string()).describe("the result"),
    filesAffected: z.array(z.string()).describe("files that it was about"),
    lessons: z.array(z.string()).describe("what was learned; each is saved as a lesson too"),
    tags: z.array(z.string()).describe("tags of its actions"),
    sourceActionIds: z.array(z.string()).describe("actions that it condenses"),
    sessionId: z.string().optional().describe("session that it belongs to"),
    project: z.string().optional().describe("project it belongs to"),
    agentId: z.string().optional().describe("agent it belongs to"),
    provider: z.string().describe("who made it: a model's provider, or extractive for rules"),
    createdAt: TimeText.describe("when it was made"),
  })
  .meta({ id: "Crystal" });
export type Crystal = z.infer<typeof Crystal>;

export type CrystalRow = typeof crystals.$inferSelect;

export function crystalRecord(row: CrystalRow): Crystal {
  return recordOfRow(Crystal, row, {
    createdAt: timeText(row.createdAt),
  });
}
