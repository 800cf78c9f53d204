import * as z from "zod";

/** The largest number of files that a request may ask for. */
export const mostFiles = 1_000;

export const Imported = z.object({
  imported: z.number().int().describe("files that were imported"),
  sessionIds: z.array(z.string()).describe("their sessions"),
  observations: z.number().int().describe("observations that are new"),
  skippedDuplicates: z.number().int().describe("events that had been imported before"),
  leftDeleted: z
    .number()
    .int()
    .optional()
    .describe("events that were forgotten or evicted here and are not imported, if there are any"),
  lessons: z.number().int().describe("lessons that were learned from what was said"),
  discovered: z.number().int().describe("transcripts found"),
  truncated: z.boolean().describe("true when there are more than maxFiles"),
  traversalCapped: z.boolean().describe("true when the folder has more than 10,000 entries"),
  maxFiles: z.number().int().describe("files at most, as applied"),
  maxFilesUpperBound: z.number().int().describe("the largest maxFiles"),
  errors: z
    .array(
      z.object({
        path: z.string().describe("file or folder"),
        error: z.string().describe("what was wrong with it"),
      }),
    )
    .describe("what could not be imported, or only in part"),
});
export type Imported = z.infer<typeof Imported>;
