import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Diagnosis, Healing } from "./answers.ts";
import { diagnosticCategories } from "./check.ts";

const Categories = z
  .array(z.enum(diagnosticCategories))
  .default([])
  .describe("what to check (default: everything)");

export const diagnose = defineOperation({
  id: "diagnostics.run",
  summary: "Find problems in the store and its records",
  description: "Reads only.",
  http: { method: "POST", path: "/diagnostics", success: 200 },
  cli: {
    command: "diagnostics run",
    flags: { categories: "category" },
    examples: ["memsvc diagnostics run", "memsvc diagnostics run --category memories,index"],
  },
  mcp: {
    tool: "memory_diagnose",
    effects: "read",
    core: true,
    title: "Diagnose",
    description:
      "Find problems in the store and its records, without changing anything. Use it when results are missing or look wrong.",
    arguments: { categories: true },
  },
  input: z.object({ categories: Categories }),
  output: Diagnosis,
  errors: ["invalid_input"],
  run: (core, input) => core.diagnostics.run(input.categories),
});

export const heal = defineOperation({
  id: "diagnostics.heal",
  functionId: "diagnostics.heal",
  summary: "Fix the problems that diagnostics find and that can be fixed automatically",
  http: { method: "POST", path: "/diagnostics/heal", success: 200 },
  cli: {
    command: "diagnostics heal",
    flags: { categories: "category" },
    examples: ["memsvc diagnostics heal --dry-run", "memsvc diagnostics heal --category sessions"],
  },
  mcp: {
    tool: "memory_heal",
    effects: "destroy",
    idempotent: true,
    title: "Heal",
    description:
      "Fix the problems that the diagnosis found fixable. Use it after memory_diagnose, first with dryRun to see what it would do.",
    arguments: { categories: true, dryRun: true },
  },
  deletes: true,
  input: z.object({
    categories: Categories,
    dryRun: z.boolean().optional().describe("show what would be fixed, and change nothing"),
  }),
  output: Healing,
  errors: ["invalid_input"],
  run: (core, input, caller) => core.diagnostics.heal(input.categories, input.dryRun ?? false, caller),
});

export const diagnosticsOperations = [diagnose, heal];
