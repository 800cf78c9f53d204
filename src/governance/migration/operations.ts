import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";

export const migrate = defineOperation({
  id: "migration.run",
  functionId: "store.migrate",
  summary: "Bring older records up to date, step by step",
  description:
    "The step infer-memory-projects gives memories without a project that of the sessions they come from.",
  http: { method: "POST", path: "/migrate", success: 200 },
  cli: {
    command: "migrate <step>",
    examples: ["memsvc migrate infer-memory-projects --dry-run", "memsvc migrate infer-memory-projects"],
  },
  input: z.object({
    step: z.enum(["infer-memory-projects"]).describe("what to bring up to date"),
    dryRun: z.boolean().default(false).describe("only tell what would change"),
  }),
  output: z.object({
    step: z.literal("infer-memory-projects").describe("as asked"),
    updated: z.number().int().describe("memories that got a project, or on a dry run would get one"),
    skipped: z.number().int().describe("memories without a stored source"),
    ambiguous: z.number().int().describe("memories whose sources belong to several projects"),
    dryRun: z.boolean().describe("true when nothing was changed"),
  }),
  errors: ["invalid_input"],
  run: (core, { dryRun }) => core.inferMemoryProjects(dryRun),
});

export const migrationOperations = [migrate];
