import * as z from "zod";
import { pageFields } from "../../operation/fields.ts";
import { Session } from "../sessions/record.ts";

export const DetectedBranch = z.object({
  isWorktree: z.boolean().describe("true in a linked working tree"),
  branch: z.string().nullable().describe("branch checked out; null on a detached head"),
  topLevel: z.string().nullable().describe("top folder of the working tree; null outside one"),
  mainRepoRoot: z.string().nullable().describe("the main working tree, or the bare repository"),
  gitDir: z.string().nullable().describe("git folder of this working tree"),
  commonDir: z.string().nullable().describe("git folder that all working trees share"),
});
export type DetectedBranch = z.infer<typeof DetectedBranch>;

export const Worktree = z.object({
  path: z.string().describe("its folder"),
  head: z.string().nullable().describe("commit checked out; null before the first"),
  branch: z.string().nullable().describe("branch checked out; null on a detached head"),
  bare: z.boolean().describe("true for a repository without a main working tree"),
});
export type Worktree = z.infer<typeof Worktree>;

export const BranchSessions = z.object({
  sessions: z.array(Session).describe("by start, newest first"),
  projectRoot: z.string().nullable().describe("the main working tree; null outside a repository"),
  branch: z.string().nullable().describe("branch checked out in the folder"),
  isWorktree: z.boolean().describe("true in a linked working tree"),
  ...pageFields,
});
export type BranchSessions = z.infer<typeof BranchSessions>;
