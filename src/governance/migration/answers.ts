import * as z from "zod";

export const InferredProjects = z.object({
  step: z.literal("infer-memory-projects").describe("as asked"),
  updated: z.number().int().describe("memories that got a project, or on a dry run would get one"),
  skipped: z.number().int().describe("memories without a stored source"),
  ambiguous: z.number().int().describe("memories whose sources belong to several projects"),
  dryRun: z.boolean().describe("true when nothing was changed"),
});
export type InferredProjects = z.infer<typeof InferredProjects>;

export const MergedFile = z.object({
  sessionCount: z.number().int().describe("sessions that were taken"),
  obsCount: z.number().int().describe("observations that were taken"),
  summaryCount: z.number().int().describe("session summaries that were taken"),
  memoryCount: z.number().int().describe("memories that were taken"),
  skipped: z.number().int().describe("rows of all kinds that already exist here"),
});
export type MergedFile = z.infer<typeof MergedFile>;
