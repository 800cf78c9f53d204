import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";
import { recordOf } from "../../operation/record-of.ts";
import { shownConclusion } from "../conclusions/row.ts";
import type { insights } from "./tables.ts";

export const Insight = z
  .object({
    id: z.string().describe("id of the insight"),
    title: z.string().describe("short title"),
    content: z.string().describe("the insight"),
    confidence: z.number().describe("0 to 1, computed when read: grows when confirmed, fades with time"),
    reinforcements: z.number().int().describe("how often it was found again"),
    sourceConceptCluster: z.array(z.string()).describe("concepts that it connects"),
    sourceMemoryIds: z.array(z.string()).describe("memories and facts that it was derived from"),
    sourceLessonIds: z.array(z.string()).describe("lessons that it was derived from"),
    sourceCrystalIds: z.array(z.string()).describe("crystals that it was derived from"),
    project: z.string().optional().describe("project it belongs to"),
    agentId: z.string().optional().describe("agent it belongs to"),
    tags: z.array(z.string()).describe("tags"),
    provider: z.string().describe("who derived it: a model provider, or extractive for rules"),
    createdAt: TimeText.describe("when it was first derived"),
    updatedAt: TimeText.describe("last change"),
    lastReinforcedAt: TimeText.optional().describe("when it was last found again"),
    decayRate: z.number().describe("confidence lost for each full week without confirmation"),
    deleted: z.literal(true).optional().describe("present once it was deleted"),
  })
  .meta({ id: "Insight" });
export type Insight = z.infer<typeof Insight>;

export type InsightRow = typeof insights.$inferSelect;

/** An insight as answers show it. `decays`: whether confidence decays, by the settings. */
export function insightRecord(row: InsightRow, now: number, decays: boolean): Insight {
  return recordOf({
    id: row.id,
    title: row.title,
    content: row.content,
    sourceConceptCluster: row.sourceConceptCluster,
    sourceMemoryIds: row.sourceMemoryIds,
    sourceLessonIds: row.sourceLessonIds,
    sourceCrystalIds: row.sourceCrystalIds,
    provider: row.provider,
    ...shownConclusion(row, now, decays),
  });
}
