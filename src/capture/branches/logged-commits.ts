import { join } from "node:path";
import { isFolder, lastLines } from "../../paths/git-files.ts";
import { realPath } from "../../paths/real-path.ts";
import { readHead } from "./refs.ts";
import { findRepository } from "./repository.ts";

/** A commit as git has noted it in the log of HEAD. */
export interface LoggedCommit {
  readonly sha: string;
  /** How it was made. */
  readonly action: "commit" | "cherry-pick" | "revert" | "am" | "merge" | "rebase" | "pull";
  /** Set if it replaced the commit before. */
  readonly amends?: true;
  /** The commit at which HEAD was before, as a full sha. */
  readonly before: string;
  /** The branch, if it still ends with this commit. */
  readonly branch?: string;
  /** The first line of its message; of a merge, whose message the log lacks, what was merged. */
  readonly message: string;
  /** The command that pulled, from its `pull` on. */
  readonly pull?: string;
  /** When it was made, in milliseconds since 1970; git notes seconds. */
  readonly at: number;
}

/** `<old sha> <new sha> <name> <<address>> <seconds> <zone>\tcommit (initial): <message>`. */
const logLine =
  /^(?<before>[0-9a-f]{40,64}) (?<sha>[0-9a-f]{40,64}) .*> (?<seconds>\d{1,12}) [+-]\d{4}\t(?<doing>.{1,1000}?)(?: \((?<how>[a-z-]{1,20})\))?: (?<told>.+)$/u;
/** Steps of a rebase that make a commit, unlike `start` and `finish`. */
const rebaseStep = /^(?:pick|reword|edit|squash|fixup|continue|merge)$/u;

/** The newest commits in the working tree of a folder, oldest first; empty outside a repository or without a log. */
export function loggedCommits(folder: string): LoggedCommit[] {
  if (!isFolder(folder)) return [];
  const repository = findRepository(realPath(folder));
  if (repository === undefined) return [];
  const { gitDir, commonDir } = repository;
  const head = readHead(gitDir, commonDir);
  return lastLines(join(gitDir, "logs", "HEAD")).flatMap((line) => {
    const { before, sha, seconds, doing, how, told } = logLine.exec(line)?.groups ?? {};
    if (before === undefined || sha === undefined || doing === undefined || told === undefined) return [];
    const made = madeBy(doing, how, told);
    if (made === undefined) return [];
    const isLast = sha === head.sha && head.branch !== null;
    return [
      { sha, before, ...made, at: Number(seconds) * 1_000, ...(isLast ? { branch: head.branch } : {}) },
    ];
  });
}

type Made = Pick<LoggedCommit, "action" | "amends" | "message" | "pull">;

/** What a line of the log tells about a commit; undefined if nothing was committed. */
function madeBy(doing: string, how: string | undefined, told: string): Made | undefined {
  if (doing === "commit" || doing === "cherry-pick" || doing === "revert" || doing === "am")
    return { action: doing, message: told, ...(how === "amend" ? { amends: true } : {}) };
  const [verb] = doing.split(" ", 1);
  if (verb === "merge")
    return /^merge \S+$/u.test(doing) ? merged({ action: verb, message: doing }, told) : undefined;
  if (verb !== "rebase" && verb !== "pull") return undefined;
  const pull = verb === "pull" ? { pull: doing } : {};
  if (how === undefined)
    return verb === "pull" ? merged({ action: verb, message: doing, ...pull }, told) : undefined;
  if (!rebaseStep.test(how)) return undefined;
  const amends = how === "squash" || how === "fixup" ? { amends: true as const } : {};
  return { action: verb, message: told, ...amends, ...pull };
}

/** A merge that only moved the branch made no commit. */
function merged(made: Made, told: string): Made | undefined {
  return told.startsWith("Merge made by ") || told.startsWith("In-index merge") ? made : undefined;
}
