import * as z from "zod";
import { ProjectPlace } from "../../capture/projects/record.ts";
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

const count = (what: string) => z.number().int().describe(what);

/** How much is stored for a project. */
export const ProjectCounts = z.object({
  sessions: count("with their summaries"),
  observations: count("events of its sessions"),
  memories: count("of all versions"),
  facts: count("distilled from its sessions and memories"),
  procedures: count("recurring sequences of steps"),
  insights: count("drawn from its memories and lessons"),
  lessons: count("also those that were deleted before"),
  crystals: count("accounts of finished work"),
  sketches: count("draft plans"),
  actions: count("pieces of work, with their leases"),
  slots: count("named notes"),
  sharedCopies: count("copies shared with a team"),
});
export type ProjectCounts = z.infer<typeof ProjectCounts>;

export const ForgottenProject = z.object({
  project: ProjectPlace.describe("the project, with its folders and names"),
  deleted: ProjectCounts.describe("what was stored for it"),
  total: z.number().int().describe("the sum of these"),
  ...dryRunOutput,
});
export type ForgottenProject = z.infer<typeof ForgottenProject>;
