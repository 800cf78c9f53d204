import * as z from "zod";
import { CompactSearchResult } from "../search/record.ts";
import { Edit, FileNotes, Issue } from "./record.ts";

export const Enrichment = z.object({
  context: z.string().describe("a fenced summary of it all; empty when nothing is known"),
  truncated: z.boolean().describe("true when the context was cut, or there was no time for every file"),
  files: z.array(FileNotes).describe("each file, in the order asked"),
  relatedMemories: z.array(CompactSearchResult).describe("memories about the files, at most 5"),
  editHistory: z.array(Edit).describe("edits of all the files, newest first, at most 30"),
  knownIssues: z.array(Issue).describe("errors and bugs of all the files, newest first"),
  concepts: z.array(z.string()).describe("tags that belong to the files, at most 15"),
});
export type Enrichment = z.infer<typeof Enrichment>;
