import * as z from "zod";
import { dryRunOutput } from "../../operation/fields.ts";

const count = z.number().int();

export const VaultExported = z.object({
  exported: z
    .object({
      memories: count.describe("notes of memories"),
      lessons: count.describe("notes of lessons"),
      crystals: count.describe("notes of crystals"),
      sessions: count.describe("notes of sessions"),
    })
    .describe("notes that exist now, by kind"),
  vaultDir: z.string().describe("the folder, as an absolute path"),
  removed: count.describe("notes that were removed because their record is gone"),
  errors: z
    .array(
      z.object({
        file: z.string().describe("file that could not be written"),
        error: z.string().describe("why"),
      }),
    )
    .optional()
    .describe("what went wrong with single files"),
  ...dryRunOutput,
});
export type VaultExported = z.infer<typeof VaultExported>;
