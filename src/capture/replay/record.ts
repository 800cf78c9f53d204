import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";

export const ReplayKind = z.enum([
  "prompt",
  "response",
  "tool_call",
  "tool_result",
  "tool_error",
  "session_start",
  "session_end",
  "hook",
]);
export type ReplayKind = z.infer<typeof ReplayKind>;

export const ReplayEvent = z
  .object({
    id: z.string().describe("the observation"),
    sessionId: z.string().describe("its session"),
    ts: TimeText.describe("when it happened"),
    offsetMs: z.number().int().describe("time since the first event"),
    durationMs: z.number().int().describe("how long it takes to read, at 40 characters a second"),
    kind: ReplayKind.describe("what happened"),
    label: z.string().describe("one line"),
    body: z.string().optional().describe("what was said, or the error"),
    toolName: z.string().optional().describe("tool that ran"),
    toolInput: z.unknown().optional().describe("what it was given"),
    toolOutput: z.unknown().optional().describe("what it answered"),
  })
  .meta({ id: "ReplayEvent" });
export type ReplayEvent = z.infer<typeof ReplayEvent>;

export const Timeline = z
  .object({
    sessionId: z.string().describe("the session"),
    startedAt: TimeText.describe("time of the first event"),
    endedAt: TimeText.describe("time of the last event"),
    totalDurationMs: z.number().int().describe("from the first event to the last"),
    eventCount: z.number().int().describe("events in this answer"),
    truncated: z
      .boolean()
      .optional()
      .describe("true when the session has more than 10,000 events, or 64 MiB of them"),
    events: z.array(ReplayEvent).describe("in the order of time"),
  })
  .meta({ id: "ReplayTimeline" });
export type Timeline = z.infer<typeof Timeline>;
