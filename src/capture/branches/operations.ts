import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { limit, Offset, Path, pageFields, scopeFields } from "../../operation/fields.ts";
import { Session } from "../sessions/record.ts";

const Cwd = Path.optional().describe("folder to look from; the working directory unless given");

export const detectBranch = defineOperation({
  id: "branches.detect",
  summary: "Tell which repository, branch and working tree a folder belongs to",
  description: "Read from the repository's own files: no program of it, or configured in it, is run.",
  http: { method: "GET", path: "/branch/detect", success: 200 },
  cli: {
    command: "branch detect",
    examples: ["memsvc branch detect", "memsvc branch detect --cwd ~/shop --json"],
  },
  input: z.object({ cwd: Cwd }),
  output: z.object({
    isWorktree: z.boolean().describe("true in a linked working tree"),
    branch: z.string().nullable().describe("branch checked out; null on a detached head"),
    topLevel: z.string().nullable().describe("top folder of the working tree; null outside one"),
    mainRepoRoot: z.string().nullable().describe("the main working tree, or the bare repository"),
    gitDir: z.string().nullable().describe("git folder of this working tree"),
    commonDir: z.string().nullable().describe("git folder that all working trees share"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, { cwd }) => core.branches.detect(cwd),
});

export const listWorktrees = defineOperation({
  id: "branches.worktrees",
  summary: "List the working trees of a repository",
  http: { method: "GET", path: "/branch/worktrees", success: 200 },
  cli: {
    command: "branch worktrees",
    examples: ["memsvc branch worktrees", "memsvc branch worktrees --cwd ~/code/shop"],
    records: "worktrees",
  },
  input: z.object({ cwd: Cwd }),
  output: z.object({
    worktrees: z
      .array(
        z.object({
          path: z.string().describe("its folder"),
          head: z.string().nullable().describe("commit checked out; null before the first"),
          branch: z.string().nullable().describe("branch checked out; null on a detached head"),
          bare: z.boolean().describe("true for a repository without a main working tree"),
        }),
      )
      .describe("the main one first; none outside a repository"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, { cwd }) => core.branches.worktrees(cwd),
});

export const branchSessions = defineOperation({
  id: "branches.sessions",
  summary: "List the sessions that worked in a repository or one of its working trees",
  http: { method: "GET", path: "/branch/sessions", success: 200 },
  cli: {
    command: "branch sessions",
    examples: ["memsvc branch sessions", "memsvc branch sessions --limit 5 --json"],
  },
  input: z.object({
    cwd: Cwd,
    limit: limit(100, 1_000).describe("how many at most"),
    offset: Offset.describe("sessions to pass over"),
    ...scopeFields,
  }),
  output: z.object({
    sessions: z.array(Session).describe("by start, newest first"),
    projectRoot: z.string().nullable().describe("the main working tree; null outside a repository"),
    branch: z.string().nullable().describe("branch checked out in the folder"),
    isWorktree: z.boolean().describe("true in a linked working tree"),
    ...pageFields,
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.branches.sessions(input),
});

export const branchOperations = [detectBranch, listWorktrees, branchSessions];
