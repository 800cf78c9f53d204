import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";
import { CompactSearchResult } from "../search/record.ts";

export const Edit = z
  .object({
    obsId: z.string().describe("observation of the edit"),
    sessionId: z.string().describe("its session"),
    timestamp: TimeText.describe("when it happened"),
    title: z.string().describe("what was done"),
    type: z.string().describe("file_edit or file_write"),
    file: z.string().describe("the file as asked for"),
  })
  .meta({ id: "Edit" });
export type Edit = z.infer<typeof Edit>;

export const Issue = z
  .object({
    id: z.string().describe("observation or memory"),
    kind: z.enum(["observation", "memory"]).describe("an error that happened, or a remembered bug"),
    title: z.string().describe("what was wrong"),
    timestamp: TimeText.describe("when it happened or was remembered"),
    file: z.string().describe("the file as asked for"),
  })
  .meta({ id: "KnownIssue" });
export type Issue = z.infer<typeof Issue>;

export const FileNotes = z
  .object({
    file: z.string().describe("the file as asked for"),
    summary: z.string().describe("edits, sessions, last edit and main concepts in one line"),
    editHistory: z.array(Edit).describe("newest first, at most 5"),
    knownIssues: z.array(Issue).describe("newest first, at most 5"),
  })
  .meta({ id: "FileNotes" });
export type FileNotes = z.infer<typeof FileNotes>;

export const Enrichment = z.object({
  context: z.string().describe("all of it in short, fenced; empty when nothing is known"),
  truncated: z.boolean().describe("true when the context was cut, or there was no time for every file"),
  files: z.array(FileNotes).describe("each file, in the order asked"),
  relatedMemories: z.array(CompactSearchResult).describe("memories about the files, at most 5"),
  editHistory: z.array(Edit).describe("edits of all the files, newest first, at most 30"),
  knownIssues: z.array(Issue).describe("errors and bugs of all the files, newest first"),
  concepts: z.array(z.string()).describe("tags that belong to the files, at most 15"),
});
export type Enrichment = z.infer<typeof Enrichment>;
