import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import {
  Id,
  limit,
  Offset,
  Path,
  ProjectName,
  pageFields,
  scopeFields,
  str,
  Tags,
  Time,
} from "../../operation/fields.ts";
import { Session } from "../sessions/record.ts";
import { Receipt } from "./answers.ts";
import { Observation, ObservationKind } from "./record.ts";

export const observe = defineOperation({
  id: "observations.observe",
  functionId: "observe.capture",
  summary: "Capture one event of an agent",
  http: { method: "POST", path: "/observe", success: 201 },
  cli: {
    command: "observe",
    examples: ["echo '{…}' | memsvc observe", "memsvc observe --batch < events.ndjson"],
  },
  input: z.object({
    hookType: str(100).describe("kind of event, such as prompt_submit or post_tool_use"),
    sessionId: Id.describe("session it belongs to; made when unknown"),
    project: ProjectName.describe("project name or path"),
    cwd: Path.describe("working directory; file paths below it become relative"),
    timestamp: Time.describe("when it happened"),
    data: z.unknown().optional().describe("the event itself: toolName, toolInput, toolOutput, userPrompt, …"),
    tags: Tags.optional().describe("tags that its session gets, such as the name of the agent's program"),
    ...scopeFields,
  }),
  output: Receipt,
  errors: ["invalid_input", "too_large"],
  run: (core, input) => core.observations.observe(input),
});

export const listObservations = defineOperation({
  id: "observations.list",
  summary: "Show a session and what happened in it",
  http: { method: "GET", path: "/observations", success: 200 },
  cli: {
    command: "session show <sessionId>",
    examples: ["memsvc session show my-session", "memsvc session show my-session --raw --json"],
    rowsForPeople: 100,
  },
  input: z.object({
    sessionId: Id.describe("session to show"),
    type: ObservationKind.optional().describe("only observations of this type"),
    raw: z.boolean().optional().describe("include the whole redacted event"),
    order: z.enum(["asc", "desc"]).default("asc").describe("order by time"),
    limit: limit(5_000, 10_000).describe("maximum number"),
    offset: Offset.describe("observations to skip"),
    ...scopeFields,
  }),
  output: z.object({
    observations: z.array(Observation).describe("by time, then arrival"),
    begun: z
      .array(z.string())
      .optional()
      .describe("ids of those that only tell the start of a tool call whose end is among them too"),
    session: Session.describe("the session itself"),
    ...pageFields,
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.observations.list(input),
});

export const observationOperations = [observe, listObservations];
