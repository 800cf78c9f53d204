import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";

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
