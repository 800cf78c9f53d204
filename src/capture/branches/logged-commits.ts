import { join } from "node:path";
import { isFolder, lastLines } from "../../paths/git-files.ts";
import { realPath } from "../../paths/real-path.ts";
import { readHead } from "./refs.ts";
import { findRepository } from "./repository.ts";

/** A commit as git has noted it in the log of HEAD. */
export interface LoggedCommit {
  readonly sha: string;
  /** How it was made. */
  readonly action: "commit" | "cherry-pick" | "revert" | "merge";
  /** Set if it replaced the commit before. */
  readonly amends?: true;
  /** The commit at which HEAD was before, as a full sha. */
  readonly before: string;
  /** The branch, if it still ends with this commit. */
  readonly branch?: string;
  /** The first line of its message; of a merge, whose message the log lacks, what was merged. */
  readonly message: string;
  /** When it was made, in milliseconds since 1970; git notes seconds. */
  readonly at: number;
}

/**
 * `<old sha> <new sha> <name> <<address>> <seconds> <zone>\tcommit (initial): <message>`, or `merge <what>: Merge made
 * by …`; a merge that only moved the branch made no commit.
 */
const commitLine =
  /^(?<before>[0-9a-f]{40,64}) (?<sha>[0-9a-f]{40,64}) .*> (?<seconds>\d{1,12}) [+-]\d{4}\t(?:(?:commit(?: \((?<how>[a-z-]{1,20})\))?|(?<copied>cherry-pick|revert)): (?<message>.+)|(?<merge>merge [^\s:]{1,200}): (?!Fast-forward).+)$/u;

/** The newest commits in the working tree of a folder, oldest first; empty outside a repository or without a log. */
export function loggedCommits(folder: string): LoggedCommit[] {
  if (!isFolder(folder)) return [];
  const repository = findRepository(realPath(folder));
  if (repository === undefined) return [];
  const { gitDir, commonDir } = repository;
  const head = readHead(gitDir, commonDir);
  return lastLines(join(gitDir, "logs", "HEAD")).flatMap((line) => {
    const { before, sha, seconds, how, copied, merge, message = merge } = commitLine.exec(line)?.groups ?? {};
    if (before === undefined || sha === undefined || message === undefined) return [];
    const made = merge === undefined ? "commit" : "merge";
    const action = copied === "cherry-pick" || copied === "revert" ? copied : made;
    const isLast = sha === head.sha && head.branch !== null;
    return [
      {
        sha,
        action,
        before,
        message,
        ...(how === "amend" ? { amends: true as const } : {}),
        at: Number(seconds) * 1_000,
        ...(isLast ? { branch: head.branch } : {}),
      },
    ];
  });
}
