import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { clamped, Id, ProjectName, scopeFields, str } from "../../operation/fields.ts";
import { TimelineAnswer } from "./answers.ts";

const mostEachSide = 100;

const EachSide = clamped(0, mostEachSide).prefault(5);

export const timeline = defineOperation({
  id: "timeline.around",
  summary: "Show what happened around an observation, a time or the best search hit",
  http: { method: "POST", path: "/timeline", success: 200 },
  cli: {
    command: "timeline <anchor...>",
    records: "entries",
    flags: { sessionId: "session" },
    examples: [
      "memsvc timeline obs_01… --before 10",
      "memsvc timeline 2026-03-01T10:00:00Z --project shop",
      "memsvc timeline the failing migration",
    ],
  },
  mcp: {
    tool: "memory_timeline",
    effects: "read",
    title: "Timeline",
    description:
      "Show what happened just before and after an observation, a time, or the best search hit. Use it to see how something came about.",
    arguments: {
      anchor: {
        description:
          "id of an observation, a time such as 2025-01-31T09:00Z or yesterday, or words to search for",
      },
      project: true,
      before: true,
      after: true,
    },
    hint: ({ anchorType, reason }) =>
      anchorType === "text" && reason === "no_match"
        ? "only what happened in sessions has a place here; memory_recall also finds what was saved, and a time is written like 2025-01-31T09:00Z"
        : undefined,
  },
  input: z.object({
    anchor: str(10_000).describe("id of an observation, a time, or words to search for"),
    project: ProjectName.optional().describe("only this project"),
    sessionId: Id.optional().describe("only this session"),
    before: EachSide.describe("observations before it, at most 100"),
    after: EachSide.describe("observations after it, at most 100"),
    ...scopeFields,
  }),
  output: TimelineAnswer,
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.timeline.around(input),
});

export const timelineOperations = [timeline];
