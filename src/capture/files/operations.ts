import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { dryRunInput, Path } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { CompressFileAnswer } from "./answers.ts";

export const compressFile = defineOperation({
  id: "files.compress",
  functionId: "file.compress",
  summary: "Shorten a Markdown file, and keep the original beside it",
  description:
    "A language model rewrites the text; the result is used only if it keeps every heading, address and piece of code. Otherwise trailing blanks, runs of empty lines and repeated paragraphs are removed. A dry run asks the model too.",
  http: { method: "POST", path: "/compress-file", success: 200, otherwise: whenQueued },
  cli: {
    command: "compress-file <filePath>",
    examples: ["memsvc compress-file NOTES.md --dry-run", "memsvc compress-file docs/history.md --json"],
  },
  mcp: {
    tool: "memory_compress_file",
    effects: "destroy",
    idempotent: true,
    title: "Compress a file",
    description:
      "Shorten a Markdown file of notes or instructions in place; the original is kept beside it. Use it only when the user asks for it.",
    arguments: { filePath: { description: "the whole path of a .md or .markdown file of at most 1 MiB" } },
  },
  deletes: true,
  input: z.object({
    filePath: Path.describe("a .md or .markdown file of at most 1 MiB"),
    cwd: Path.optional().describe("folder that a relative path starts from"),
    ...dryRunInput,
  }),
  output: orQueued(CompressFileAnswer),
  errors: ["invalid_input", "forbidden", "not_found", "conflict", "too_large"],
  run: (core, input, caller) =>
    core.files.compress({ ...input, cwd: input.cwd ?? caller.cwd }, waitMs(core, caller), caller),
});

export const fileOperations = [compressFile];
