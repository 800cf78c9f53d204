import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { diagnosticCategories } from "./check.ts";

const Categories = z
  .array(z.enum(diagnosticCategories))
  .default([])
  .describe("what to look at; everything unless given");

export const diagnose = defineOperation({
  id: "diagnostics.run",
  summary: "Look for what is wrong with the store and its records",
  description: "Reads only.",
  http: { method: "POST", path: "/diagnostics", success: 200, readOnly: true },
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
      "Look for what is wrong with the store and its records, without changing anything. Use it when results are missing or look wrong.",
    arguments: { categories: true },
  },
  input: z.object({ categories: Categories }),
  output: z.object({
    checks: z
      .array(
        z.object({
          name: z.string().describe("what was looked for"),
          category: z.enum(diagnosticCategories).describe("what it belongs to"),
          status: z.enum(["pass", "warn", "fail"]).describe("pass when nothing is wrong"),
          message: z.string().describe("what was found"),
          fixable: z.boolean().describe("whether heal can put it right"),
          hint: z.string().optional().describe("what people can do about what heal cannot put right"),
          count: z.number().int().optional().describe("records that it concerns"),
          ids: z.array(z.string()).optional().describe("their ids, at most 20"),
        }),
      )
      .describe("findings; a category without any has one that passes"),
    summary: z
      .object({
        pass: z.number().int().describe("categories without a finding"),
        warn: z.number().int().describe("findings to be looked at"),
        fail: z.number().int().describe("findings that are wrong"),
        fixable: z.number().int().describe("findings that heal can put right"),
      })
      .describe("how many of each"),
  }),
  errors: ["invalid_input"],
  run: (core, input) => core.diagnostics.run(input.categories),
});

export const heal = defineOperation({
  id: "diagnostics.heal",
  functionId: "diagnostics.heal",
  summary: "Repair what diagnostics find, where that can be done automatically",
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
      "Put right what the diagnosis found fixable. Use it after memory_diagnose, first with dryRun to see what it would do.",
    arguments: { categories: true, dryRun: true },
  },
  deletes: true,
  input: z.object({
    categories: Categories,
    dryRun: z.boolean().optional().describe("only tell what would be put right"),
  }),
  output: z.object({
    fixed: z.number().int().describe("records put right, or on a dry run that would be"),
    skipped: z.number().int().describe("findings that cannot be fixed automatically"),
    details: z.array(z.string()).describe("what was done, line by line"),
    dryRun: z.boolean().describe("true when nothing was changed"),
  }),
  errors: ["invalid_input"],
  run: (core, input, caller) => core.diagnostics.heal(input.categories, input.dryRun ?? false, caller),
});

export const diagnosticsOperations = [diagnose, heal];
