import * as z from "zod";
import { Observation } from "../../capture/observations/record.ts";

export const TimelineEntry = z.object({
  observation: Observation.describe("what happened"),
  sessionId: z.string().describe("its session"),
  project: z
    .string()
    .optional()
    .describe("the project of its session, if neither a project nor a session was requested"),
  relativePosition: z.number().int().describe("0 at the anchor, below 0 before it, above 0 after it"),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const TimelineAnswer = z.object({
  entries: z.array(TimelineEntry).describe("in the order of time"),
  anchorIndex: z
    .number()
    .int()
    .describe("index of the anchor, or of the first entry after it; -1 when there is none"),
  anchor: z.string().describe("the anchor as given"),
  anchorType: z.enum(["observation", "timestamp", "text"]).describe("how it was understood"),
  reason: z.literal("no_match").optional().describe("why there are no entries"),
});
export type TimelineAnswer = z.infer<typeof TimelineAnswer>;
