import * as z from "zod";
import { diagnosticCategories } from "./check.ts";

export const CheckResult = z.object({
  name: z.string().describe("what was looked for"),
  category: z.enum(diagnosticCategories).describe("what it belongs to"),
  status: z.enum(["pass", "warn", "fail"]).describe("pass when nothing is wrong"),
  message: z.string().describe("what was found"),
  fixable: z.boolean().describe("whether heal can fix it"),
  hint: z.string().optional().describe("what people can do about it if heal cannot fix it"),
  count: z.number().int().optional().describe("records that it concerns"),
  ids: z.array(z.string()).optional().describe("their ids, at most 20"),
});
export type CheckResult = z.infer<typeof CheckResult>;

export const Diagnosis = z.object({
  checks: z.array(CheckResult).describe("findings; a category without any has one that passes"),
  summary: z
    .object({
      pass: z.number().int().describe("categories without a finding"),
      warn: z.number().int().describe("findings to be looked at"),
      fail: z.number().int().describe("findings that are wrong"),
      fixable: z.number().int().describe("findings that heal can fix"),
    })
    .describe("how many of each"),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

export const SkippedFinding = CheckResult.pick({
  name: true,
  category: true,
  message: true,
  ids: true,
}).extend({
  reason: z.string().describe("why it was not fixed"),
  hint: z.string().describe("what people can do about it"),
});
export type SkippedFinding = z.infer<typeof SkippedFinding>;

export const Healing = z.object({
  fixed: z.number().int().describe("records fixed, or in a dry run those that would be"),
  skipped: z.number().int().describe("findings that cannot be fixed automatically"),
  skippedFindings: z.array(SkippedFinding).describe("these findings, and the way out of each"),
  details: z.array(z.string()).describe("what was done, line by line"),
  dryRun: z.boolean().describe("true when nothing was changed"),
});
export type Healing = z.infer<typeof Healing>;
