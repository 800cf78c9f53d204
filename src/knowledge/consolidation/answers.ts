import * as z from "zod";
import { dryRunOutput } from "../../operation/fields.ts";
import { Reflection, TierResults } from "./tiers.ts";

const warning = z
  .string()
  .optional()
  .describe("why rules were used instead of a model, or what was not done");

export const Consolidated = z.object({
  consolidated: z.number().int().describe("memories that were made or given a new version"),
  totalObservations: z.number().int().describe("important observations that no memory was made of before"),
  memoryIds: z.array(z.string()).describe("those memories"),
  results: TierResults.describe("what the tiers did"),
  reason: z.string().optional().describe("why nothing was done"),
  warning,
});
export type Consolidated = z.infer<typeof Consolidated>;

export const Reflected = z.object({ ...Reflection.shape, warning });
export type Reflected = z.infer<typeof Reflected>;

export const PipelineAnswer = z.object({
  results: TierResults.describe("what the tiers that ran did"),
  warning,
  ...dryRunOutput,
});
export type PipelineAnswer = z.infer<typeof PipelineAnswer>;
