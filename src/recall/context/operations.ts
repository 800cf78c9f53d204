import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { clamped, Id, Name, Path, ProjectName, scopeFields } from "../../operation/fields.ts";
import { ContextBlock } from "./answers.ts";

const maxBudgetTokens = 32_000;

const Tokens = clamped(1, maxBudgetTokens);

const BudgetTokens = z.union(
  [
    Tokens,
    z
      .string()
      .regex(/^\s*\d+\s*$/u)
      .transform(Number)
      .pipe(Tokens),
  ],
  { error: "must be a whole number of at least 1" },
);

export const buildContext = defineOperation({
  id: "context.build",
  functionId: "context.build",
  summary: "Get the context block for a session, within a token budget",
  http: { method: "POST", path: "/context", success: 200 },
  cli: {
    command: "context",
    flags: { sessionId: "session" },
    examples: ["memsvc context", "memsvc context --project shop --budget 800"],
  },
  mcp: {
    tool: "memory_context",
    effects: "read",
    title: "Context for a session",
    description:
      "Get the context block for a session: profile, memories, lessons and recent sessions of its project, as plain text. Use it once at the start of a session.",
    arguments: {
      sessionId: {
        description: "session that asks, or any new name; what it did itself is left out",
      },
      project: true,
      budget: { type: Tokens, description: "token budget for the block, at most 32000" },
      cwd: true,
    },
    result: "context",
    ifEmpty: "Nothing is stored for this project yet.",
    ifAllCut:
      "Something is stored for this project, but none of it fits into the budget, or it took too long: ask again with a larger budget.",
  },
  input: z.object({
    sessionId: Id.describe("session that asks; what it did itself is left out"),
    project: ProjectName.describe("project name or path"),
    budget: BudgetTokens.optional().describe("token budget for the block, at most 32000"),
    cwd: Path.optional().describe("working directory; memories about files near it come first"),
    includeOwn: z.boolean().optional().describe("include what the session itself did so far"),
    source: Name.optional().describe("who asks; `viewer` is not counted as a recall"),
    ...scopeFields,
  }),
  output: ContextBlock,
  errors: ["invalid_input"],
  run: (core, input, caller) => core.context.build(input, (input.source ?? caller.source) !== "viewer"),
});

export const contextOperations = [buildContext];
