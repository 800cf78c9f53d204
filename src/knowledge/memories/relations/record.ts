import * as z from "zod";
import { TimeText, timeText } from "../../../operation/fields.ts";
import { recordOfRow } from "../../../operation/record-of.ts";
import type { memoryRelations } from "../tables.ts";

export const RelationType = z.enum(["supersedes", "extends", "derives", "contradicts", "related"]);
export type RelationType = z.infer<typeof RelationType>;

export const MemoryRelation = z
  .object({
    id: z.string().describe("id of the relation"),
    type: RelationType.describe("how the source relates to the target"),
    sourceId: z.string().describe("source of the relation; for supersedes, the newer memory"),
    targetId: z.string().describe("target of the relation"),
    confidence: z.number().describe("confidence, 0 to 1"),
    createdAt: TimeText.describe("when it was made"),
  })
  .meta({ id: "MemoryRelation" });
export type MemoryRelation = z.infer<typeof MemoryRelation>;

export type RelationRow = typeof memoryRelations.$inferSelect;

export function relationRecord(row: RelationRow): MemoryRelation {
  return recordOfRow(MemoryRelation, row, {
    createdAt: timeText(row.createdAt),
  });
}
