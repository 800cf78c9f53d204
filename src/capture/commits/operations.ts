import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import {
  Id,
  limit,
  Offset,
  optionalText,
  pageFields,
  scopeFields,
  str,
  Time,
} from "../../operation/fields.ts";
import { Session } from "../sessions/record.ts";
import { CommitLink, mostFiles } from "./record.ts";
import { storedCase } from "./sha.ts";

/** A git sha, or the id of a commit in another version control system; hex in lower case. */
const Sha = str(128)
  .refine((text) => !/\s/u.test(text), "must not contain white space")
  .transform(storedCase);

const FileNames = z
  .array(z.unknown())
  .max(mostFiles)
  .transform((items) => items.filter((item): item is string => typeof item === "string"));

export const linkCommit = defineOperation({
  id: "commits.link",
  functionId: "session.commit",
  summary: "Link a commit to the session that made it",
  description:
    "Links of the same commit are merged: sessions and files are added, other values are replaced. A short and a full sha of one commit are the same. Commits that a captured command printed are linked automatically.",
  http: { method: "POST", path: "/session/commit", success: 200 },
  cli: {
    command: "session commit <sha>",
    flags: { sessionId: "session", files: "file" },
    examples: [
      "memsvc session commit $(git rev-parse HEAD) --session my-session",
      'memsvc session commit 3f2a91c --branch main --message "feat: cart"',
    ],
  },
  input: z.object({
    sha: Sha.describe("full or short sha"),
    sessionId: Id.optional().describe("session that made it; may be one that is not known yet"),
    branch: str(500).optional().describe("branch that it was made on"),
    repo: str(500).optional().describe("repository, for example its URL"),
    author: str(500).optional().describe("who wrote it"),
    message: optionalText(20_000).optional().describe("commit message"),
    authoredAt: Time.optional().describe("when it was written"),
    files: FileNames.optional().describe("files that it touches"),
    ...scopeFields,
  }),
  output: z.object({ commit: CommitLink.describe("the link as stored") }),
  errors: ["invalid_input"],
  run: (core, input) => core.commits.link(input),
});

export const findByCommit = defineOperation({
  id: "commits.find",
  summary: "Show the sessions that made a commit",
  http: { method: "GET", path: "/session/by-commit", success: 200 },
  cli: {
    command: "session by-commit <sha>",
    examples: ["memsvc session by-commit 3f2a91c", "memsvc session by-commit $(git rev-parse HEAD)"],
  },
  mcp: {
    tool: "memory_commit_lookup",
    effects: "read",
    title: "Sessions of a commit",
    description:
      "Show the sessions that made a commit. Use it to learn why a line of code is as it is, after git blame has named the commit.",
    arguments: { sha: true },
    ifNotFound: { commit: null, sessions: [] },
  },
  input: z.object({
    sha: Sha.describe("the sha, or at least four of its first digits"),
    ...scopeFields,
  }),
  output: z.object({
    commit: CommitLink.describe("the link"),
    sessions: z.array(Session).describe("its sessions, newest first"),
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input) => core.commits.find(input),
});

export const listCommits = defineOperation({
  id: "commits.list",
  summary: "List linked commits, newest first",
  http: { method: "GET", path: "/commits", success: 200 },
  cli: {
    command: "session commits",
    flags: { sessionId: "session" },
    examples: ["memsvc session commits", "memsvc session commits --session my-session --json"],
  },
  mcp: {
    tool: "memory_commits",
    effects: "read",
    title: "Commits",
    description:
      "List commits that are linked to sessions, newest first. Use it to see which sessions led to what was committed on a branch.",
    arguments: { branch: true, repo: true, limit: true },
  },
  input: z.object({
    branch: str(500).optional().describe("only commits of this branch"),
    repo: str(500).optional().describe("only commits of this repository"),
    sessionId: Id.optional().describe("only commits of this session"),
    limit: limit(100, 500).describe("maximum number"),
    offset: Offset.describe("commits to skip"),
  }),
  output: z.object({
    commits: z.array(CommitLink).describe("by the time of linking, newest first"),
    ...pageFields,
  }),
  errors: ["invalid_input"],
  run: (core, input) => core.commits.list(input),
});

export const commitOperations = [linkCommit, findByCommit, listCommits];
