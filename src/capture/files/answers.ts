import * as z from "zod";
import { dryRunOutput } from "../../operation/fields.ts";

export const CompressedFile = z.object({
  filePath: z.string().describe("the file, now shorter"),
  backupPath: z.string().describe("where the original is kept"),
  originalChars: z.number().int().describe("characters before"),
  compressedChars: z.number().int().describe("characters after"),
  provider: z.string().describe("who shortened it: a model's provider, or rules"),
  warning: z.string().optional().describe("why rules were used instead of the model"),
  diff: z.string().optional().describe("in a dry run: what would change, as a unified diff"),
  ...dryRunOutput,
});
export type CompressedFile = z.infer<typeof CompressedFile>;

export const SkippedFile = z.object({
  skipped: z.literal(true).describe("the file was left as it is"),
  reason: z.enum(["nothing to gain", "already compressed"]).describe("why"),
  filePath: z.string().describe("the file"),
  ...dryRunOutput,
});
export type SkippedFile = z.infer<typeof SkippedFile>;

export const CompressFileAnswer = z.union([CompressedFile, SkippedFile]);
export type CompressFileAnswer = z.infer<typeof CompressFileAnswer>;
