import * as z from "zod";
import { dryRunOutput } from "../../operation/fields.ts";
import { importStrategies } from "./strategies.ts";

const Count = z.object({
  written: z.number().int().describe("rows that changed the store"),
  skipped: z.number().int().describe("rows that changed nothing"),
});

export const Imported = z.object({
  strategy: z.enum(importStrategies).describe("as applied"),
  sessions: z.number().int().describe("sessions written"),
  observations: z.number().int().describe("observations written"),
  memories: z.number().int().describe("memories written"),
  summaries: z.number().int().describe("summaries written"),
  skipped: z.number().int().describe("rows of all collections that changed nothing"),
  counts: z.record(z.string(), Count).describe("by collection"),
  warnings: z.array(z.string()).describe("what was left out or changed, each kind once"),
  version: z.string().describe("version of this service"),
  safetySnapshotId: z.string().optional().describe("snapshot that was taken before a replace"),
  deleted: z
    .record(z.string(), z.number().int())
    .optional()
    .describe("in a dry run: rows that a replace would delete, by collection"),
  ...dryRunOutput,
});
export type Imported = z.infer<typeof Imported>;
