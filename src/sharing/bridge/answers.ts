import * as z from "zod";

export const MemoryFile = z.object({
  content: z.string().describe("the whole file; empty when there is none"),
  sections: z.record(z.string(), z.string()).describe("the texts under its headings of level 2, by heading"),
  path: z.string().describe("where the file is, or would be"),
  parsed: z.boolean().describe("whether there is a file"),
});
export type MemoryFile = z.infer<typeof MemoryFile>;

export const Synced = z.object({
  path: z.string().describe("the file"),
  lines: z.number().int().describe("lines of the section, without its marks"),
  memories: z.number().int().describe("memories in it"),
  changed: z.boolean().describe("whether the file changed, or on a dry run would"),
  dryRun: z.literal(true).optional().describe("present when nothing was written"),
});
export type Synced = z.infer<typeof Synced>;
