import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { ProjectName, scopeFields } from "../../operation/fields.ts";
import { Pattern } from "./record.ts";

const mostPatterns = 20;

const input = z.object({
  project: ProjectName.optional().describe("project to look at (default: all)"),
  ...scopeFields,
});

export const findPatterns = defineOperation({
  id: "patterns.find",
  summary: "Find recurring patterns in the newest 500 sessions",
  description:
    "Files changed together, errors that come back, commands that follow each other. Stores nothing.",
  http: { method: "POST", path: "/patterns", success: 200 },
  cli: {
    command: "pattern list",
    examples: ["memsvc pattern list --project shop", "memsvc pattern list --json"],
    records: "patterns",
  },
  mcp: {
    tool: "memory_patterns",
    effects: "read",
    title: "Patterns",
    description:
      "Find recurring patterns across sessions: files changed together, errors that come back, commands in a row. Use it before a larger change, or to suggest what to automate.",
    arguments: { project: true },
  },
  input,
  output: z.object({ patterns: z.array(Pattern).describe("most frequent first, at most 20") }),
  errors: ["invalid_input"],
  run: async (core, given) => ({ patterns: (await core.patterns.find(given)).slice(0, mostPatterns) }),
});

export const generateRules = defineOperation({
  id: "patterns.rules",
  summary: "Turn patterns, lessons and preferences into short rules",
  description: "The rules can be put into an agent's instructions. Stores nothing.",
  http: { method: "POST", path: "/generate-rules", success: 200, readOnly: true },
  cli: {
    command: "pattern rules",
    examples: [
      "memsvc pattern rules --project shop >> AGENTS.md",
      "memsvc pattern rules --project shop --json",
    ],
  },
  input,
  output: z.object({
    rules: z.array(z.string()).describe("short sentences, at most 30"),
    sources: z
      .array(
        z.object({
          kind: z
            .enum(["co_change", "error_repeat", "lesson", "preference"])
            .describe("what the rule at the same position was derived from"),
          id: z.string().optional().describe("the lesson or memory"),
          frequency: z.number().int().describe("how often it was seen, confirmed or recalled"),
        }),
      )
      .describe("where the rules come from, in their order"),
  }),
  errors: ["invalid_input"],
  run: (core, given) => core.generateRules(given),
});

export const patternOperations = [findPatterns, generateRules];
