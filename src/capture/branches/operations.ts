import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { limit, Offset, Path, scopeFields } from "../../operation/fields.ts";
import { BranchSessions, DetectedBranch, Worktree } from "./answers.ts";

const Cwd = Path.optional().describe("folder to start from (default: the working directory)");

export const detectBranch = defineOperation({
  id: "branches.detect",
  summary: "Show which repository, branch and working tree a folder belongs to",
  description: "Reads the repository's files; runs no program that is in the repository or configured by it.",
  http: { method: "GET", path: "/branch/detect", success: 200 },
  cli: {
    command: "branch detect",
    examples: ["memsvc branch detect", "memsvc branch detect --cwd ~/shop --json"],
  },
  input: z.object({ cwd: Cwd }),
  output: DetectedBranch,
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
    worktrees: z.array(Worktree).describe("the main one first; none outside a repository"),
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
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("sessions to skip"),
    ...scopeFields,
  }),
  output: BranchSessions,
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.branches.sessions(input),
});

export const branchOperations = [detectBranch, listWorktrees, branchSessions];
