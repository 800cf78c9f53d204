import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";
import { recordOf } from "../../operation/record-of.ts";
import { shownConclusion } from "../conclusions/row.ts";
import type { lessons } from "./tables.ts";

export const LessonSource = z.enum(["crystal", "manual", "consolidation"]);
export type LessonSource = z.infer<typeof LessonSource>;

export const Lesson = z
  .object({
    id: z.string().describe("id of the lesson"),
    content: z.string().describe("what was learned"),
    context: z.string().describe("where it applies; may be empty"),
    confidence: z.number().describe("0 to 1, computed when read: grows when confirmed, fades with time"),
    reinforcements: z.number().int().describe("how often it was confirmed"),
    source: LessonSource.describe("origin: crystal, manual, or consolidation"),
    sourceIds: z.array(z.string()).describe("records that it was derived from"),
    project: z.string().optional().describe("project it belongs to; absent if it applies everywhere"),
    agentId: z.string().optional().describe("agent it belongs to"),
    tags: z.array(z.string()).describe("tags"),
    createdAt: TimeText.describe("when it was first saved"),
    updatedAt: TimeText.describe("last change"),
    lastReinforcedAt: TimeText.optional().describe("when it was last confirmed"),
    decayRate: z.number().describe("confidence lost for each full week without confirmation"),
    deleted: z.literal(true).optional().describe("present once it was deleted"),
  })
  .meta({ id: "Lesson" });
export type Lesson = z.infer<typeof Lesson>;

export type LessonRow = typeof lessons.$inferSelect;

/** A lesson as answers show it. `decays`: whether confidence decays, by the settings. */
export function lessonRecord(row: LessonRow, now: number, decays: boolean): Lesson {
  return recordOf({
    id: row.id,
    content: row.content,
    context: row.context,
    source: row.source,
    sourceIds: row.sourceIds,
    ...shownConclusion(row, now, decays),
  });
}
