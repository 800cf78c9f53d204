import * as z from "zod";
import { DerivedIds } from "../../knowledge/sources/derived-ids.ts";
import { dryRunOutput } from "../../operation/fields.ts";
import { Withdrawn } from "../../sharing/team/record.ts";

export const BulkDeleted = z.union([
  z.object({
    dryRun: z.literal(true).describe("nothing was deleted"),
    wouldDelete: z.number().int().describe("memories that match the filters"),
    ids: z.array(z.string()).describe("their ids, at most 10,000"),
    truncated: z.literal(true).optional().describe("there are more than the ids shown"),
  }),
  z.object({
    dryRun: z.literal(false).describe("they were deleted"),
    deleted: z.number().int().describe("memories deleted"),
    failed: z.number().int().describe("0: it is all or nothing"),
    ids: z.array(z.string()).describe("ids of what was deleted"),
    derived: DerivedIds.optional(),
  }),
]);
export type BulkDeleted = z.infer<typeof BulkDeleted>;

export const DeletedMemories = z.object({
  deleted: z.number().int().describe("memories deleted"),
  total: z.number().int().describe("distinct ids asked for"),
  notFound: z.array(z.string()).describe("ids that are not known"),
  derived: DerivedIds.optional(),
  withdrawn: Withdrawn.optional(),
  ...dryRunOutput,
});
export type DeletedMemories = z.infer<typeof DeletedMemories>;
