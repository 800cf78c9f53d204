import * as z from "zod";
import { Observation } from "../../capture/observations/record.ts";
import { defineOperation } from "../../operation/define.ts";
import { Id, Name, ProjectName, scopeFields, str } from "../../operation/fields.ts";
import { Enrichment } from "./answers.ts";

const File = str(4_096);

export const enrich = defineOperation({
  id: "enrich.files",
  functionId: "context.enrich",
  summary: "Show what is known about files before they are changed",
  http: { method: "POST", path: "/enrich", success: 200, readOnly: true },
  cli: {
    command: "enrich <files...>",
    flags: { sessionId: "session", terms: "term" },
    examples: ["memsvc enrich src/http/retry.ts", "memsvc enrich src/http/retry.ts --term backoff --json"],
  },
  input: z.object({
    sessionId: Id.describe("session that asks; its own observations are left out"),
    files: z.array(File).min(1).max(50).describe("files, as paths"),
    terms: z.array(str(200)).max(50).default([]).describe("words that matter for the planned change"),
    toolName: Name.optional().describe("tool that is about to run; only used in the debug log"),
    project: ProjectName.optional().describe(
      "project (default: the one whose folder a file is in, else that of the session)",
    ),
    ...scopeFields,
  }),
  output: Enrichment,
  errors: ["invalid_input"],
  run: (core, input, caller) =>
    core.enrichment.enrich({ ...input, folder: caller.cwd }, caller.source !== "viewer"),
});

export const fileContext = defineOperation({
  id: "enrich.history",
  summary: "Show what happened to files in earlier sessions",
  http: { method: "POST", path: "/file-context", success: 200 },
  cli: {
    command: "file-context <files...>",
    flags: { sessionId: "session" },
    examples: [
      "memsvc file-context src/http/retry.ts",
      "memsvc file-context src/http/retry.ts src/http/client.ts --session my-session",
    ],
  },
  mcp: {
    tool: "memory_file_history",
    effects: "read",
    title: "History of files",
    description:
      "Show what happened to files in earlier sessions, as plain text. Use it before you change a file that you did not write in this session.",
    arguments: { files: { required: true }, sessionId: true },
    result: "context",
    ifEmpty:
      "Nothing is stored of what other sessions did to these files; memory_recall finds what was saved about them.",
  },
  input: z.object({
    sessionId: Id.optional().describe("session that asks; its own observations are left out"),
    files: z.array(File).max(50).default([]).describe("files, as paths"),
    project: ProjectName.optional().describe(
      "project (default: the one whose folder a file is in, else that of the session)",
    ),
    ...scopeFields,
  }),
  output: z.object({
    context: z.string().describe("a fenced summary; empty when nothing is known"),
    files: z
      .array(
        z.object({
          file: z.string().describe("the file as asked for"),
          observations: z.array(Observation).describe("most important first, at most 5"),
        }),
      )
      .describe("files about which something is known"),
  }),
  errors: ["invalid_input"],
  run: (core, input, caller) => core.enrichment.history({ ...input, folder: caller.cwd }),
});

export const enrichOperations = [enrich, fileContext];
