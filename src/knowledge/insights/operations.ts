import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { limit, num, Offset, ProjectName, pageFields, scopeFields, str } from "../../operation/fields.ts";
import { Insight } from "./record.ts";

const maxQuery = 10_000;

export const listInsights = defineOperation({
  id: "insights.list",
  summary: "List insights, most confident first",
  http: { method: "GET", path: "/insights", success: 200 },
  cli: {
    command: "insight list",
    examples: ["memsvc insight list --project shop", "memsvc insight list --min-confidence 0.7 --json"],
  },
  mcp: {
    tool: "memory_insight_list",
    effects: "read",
    title: "Insights",
    description:
      "List insights, most confident first. Use it for the larger picture of a project before you plan work in it.",
    arguments: { project: true, minConfidence: true, limit: true },
  },
  input: z.object({
    project: ProjectName.optional().describe("only insights of this project"),
    minConfidence: num(0, 1).optional().describe("only insights with at least this confidence"),
    limit: limit(50, 500).describe("maximum number"),
    offset: Offset.describe("insights to skip"),
    ...scopeFields,
  }),
  output: z.object({ insights: z.array(Insight).describe("most confident first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.insights.list(input),
});

export const searchInsights = defineOperation({
  id: "insights.search",
  summary: "Search insights by words",
  http: { method: "POST", path: "/insights/search", success: 200, readOnly: true },
  cli: {
    command: "insight search <query...>",
    examples: [
      "memsvc insight search flaky tests",
      "memsvc insight search flaky tests --project shop --limit 3",
    ],
  },
  hits: "insights",
  input: z.object({
    query: str(maxQuery).describe("what to look for, in plain words"),
    project: ProjectName.optional().describe("only insights of this project"),
    minConfidence: num(0, 1).default(0.1).describe("only insights with at least this confidence"),
    limit: limit(10, 100).describe("maximum number"),
    ...scopeFields,
  }),
  output: z.object({
    insights: z
      .array(
        Insight.extend({
          score: z.number().describe("match times confidence, reduced with age"),
        }),
      )
      .describe("best first"),
  }),
  errors: ["invalid_input"],
  run: async (core, input) => ({ insights: await core.insights.search(input) }),
});

export const insightOperations = [listInsights, searchInsights];
