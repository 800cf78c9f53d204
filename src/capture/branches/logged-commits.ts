import { join } from "node:path";
import { isFolder, lastLines } from "../../paths/git-files.ts";
import { realPath } from "../../paths/real-path.ts";
import { readHead } from "./refs.ts";
import { findRepository } from "./repository.ts";

/** A commit as git has noted it in the log of HEAD. */
export interface LoggedCommit {
  readonly sha: string;
  /** How it was made. */
  readonly action: "commit" | "cherry-pick" | "revert";
  /** The commit at which HEAD was before, as a full sha. */
  readonly before: string;
  /** The branch, if it still ends with this commit. */
  readonly branch?: string;
  /** The first line of its message. */
  readonly message: string;
  /** When it was made, in milliseconds since 1970; git notes seconds. */
  readonly at: number;
}

/** `<old sha> <new sha> <name> <<address>> <seconds> <zone>\tcommit (initial): <message>` */
const commitLine =
  /^(?<before>[0-9a-f]{40,64}) (?<sha>[0-9a-f]{40,64}) .*> (?<seconds>\d{1,12}) [+-]\d{4}\t(?:commit(?: \([a-z-]{1,20}\))?|(?<copied>cherry-pick|revert)): (?<message>.+)$/u;

/** The newest commits in the working tree of a folder, oldest first; empty outside a repository or without a log. */
export function loggedCommits(folder: string): LoggedCommit[] {
  if (!isFolder(folder)) return [];
  const repository = findRepository(realPath(folder));
  if (repository === undefined) return [];
  const { gitDir, commonDir } = repository;
  const head = readHead(gitDir, commonDir);
  return lastLines(join(gitDir, "logs", "HEAD")).flatMap((line) => {
    const { before, sha, seconds, copied, message } = commitLine.exec(line)?.groups ?? {};
    if (before === undefined || sha === undefined || message === undefined) return [];
    const action = copied === "cherry-pick" || copied === "revert" ? copied : "commit";
    const isLast = sha === head.sha && head.branch !== null;
    return [
      {
        sha,
        action,
        before,
        message,
        at: Number(seconds) * 1_000,
        ...(isLast ? { branch: head.branch } : {}),
      },
    ];
  });
}
