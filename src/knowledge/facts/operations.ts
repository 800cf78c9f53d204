import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { limit, Offset, ProjectName, pageFields, scopeFields } from "../../operation/fields.ts";
import { SemanticMemory } from "./record.ts";

export const listFacts = defineOperation({
  id: "facts.list",
  summary: "List the facts derived from several sessions",
  http: { method: "GET", path: "/semantic", success: 200 },
  cli: {
    command: "fact list",
    examples: ["memsvc fact list --project shop", "memsvc fact list --limit 20 --json"],
  },
  input: z.object({
    project: ProjectName.optional().describe("only facts of this project"),
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("facts to skip"),
    ...scopeFields,
  }),
  output: z.object({ semantic: z.array(SemanticMemory).describe("newest change first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.facts.list(input),
});

export const factOperations = [listFacts];
