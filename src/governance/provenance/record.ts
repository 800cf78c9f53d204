import * as z from "zod";
import { ObservationKind } from "../../capture/observations/record.ts";
import { Session } from "../../capture/sessions/record.ts";
import { Memory } from "../../knowledge/memories/record.ts";
import { TimeText } from "../../operation/fields.ts";

const Citation = z.object({
  observationId: z.string().describe("observation that the memory was derived from"),
  title: z.string().describe("its title"),
  type: ObservationKind.describe("what happened"),
  confidence: z.number().describe("0 to 1"),
  timestamp: TimeText.describe("when it happened"),
  sessionId: z.string().describe("session it belongs to"),
  sessionProject: z.string().optional().describe("project of that session"),
  sessionStatus: Session.shape.status.optional().describe("state of that session"),
});

const citations = z.array(Citation);
const citationCount = z.number().int().describe("how many there are");

export const Verification = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("memory").describe("the id is a memory's"),
    memory: Memory.pick({
      id: true,
      title: true,
      presentTitle: true,
      type: true,
      version: true,
      strength: true,
      isLatest: true,
      createdAt: true,
      updatedAt: true,
      supersedes: true,
      parentId: true,
    }).describe("the memory in short"),
    citations: citations.describe("stored observations that it was derived from"),
    citationCount,
    missing: z.array(z.string()).describe("sources that are no longer stored"),
  }),
  z.object({
    type: z.literal("observation").describe("the id is an observation's"),
    observation: z
      .object({
        id: z.string().describe("its id"),
        title: z.string().describe("one line"),
        type: ObservationKind.describe("what happened"),
        confidence: z.number().describe("0 to 1"),
        importance: z.number().describe("1 to 10"),
        timestamp: TimeText.describe("when it happened"),
        sessionId: z.string().describe("session it belongs to"),
      })
      .describe("the observation in short"),
    session: Session.pick({ id: true, project: true, status: true, startedAt: true })
      .nullable()
      .describe("its session, null when that is gone"),
    citations: citations.describe("empty: an observation depends on nothing"),
    citationCount,
    citedBy: z.array(z.string()).describe("memories that were derived from it"),
  }),
]);
export type Verification = z.input<typeof Verification>;
