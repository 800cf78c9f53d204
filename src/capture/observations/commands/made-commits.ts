import { commandKinds } from "./command-kind.ts";

/** A commit, as reported by git when it was made. */
interface MadeCommit {
  /** The abbreviated sha that git prints. */
  readonly sha: string;
  /** Absent when HEAD is detached. */
  readonly branch?: string;
  /** The first line of its message. */
  readonly message: string;
}

export interface DatedCommit extends MadeCommit {
  /** By git's log, else the time of the event that reported it, whose command had just ended. */
  readonly authoredAt: number;
}

const committing = new Set(
  ["commit", "cherry-pick", "revert", "merge", "rebase", "am", "pull"].map((action) => `git ${action}`),
);
/**
 * `[main 3f2a91c] feat: cart`, `[main (root-commit) 3f2a91c] first`, `[detached HEAD 3f2a91c] try`. The words
 * in brackets are translated, except for the branch; in Chinese those around it have no blank.
 */
const madeLine =
  /^\[(?<place>[^\]\n]{1,300}?)(?: \([^()\n]{1,60}\)|（[^（）\n]{1,60}）)? (?<sha>[0-9a-f]{7,64})\] (?<message>[^\r\n]{1,1000})/gmu;
/** A branch has no blank in its name, as a detached HEAD has in every language but this one. */
const noBranch = / |^分离头指针$/u;

/** Whether a command may make commits. */
export function isCommitting(command: string): boolean {
  return commandKinds(command).some((kind) => committing.has(kind));
}

/** Whether a command may go on with commits that git does not show, after it has shown one. */
export function goesOnQuietly(command: string): boolean {
  return commandKinds(command).some((kind) => kind === "git rebase" || kind === "git am");
}

/** The commits that a command made, according to its output. It shows none that were made with `--quiet`. */
export function madeCommits(command: string | undefined, output: string): MadeCommit[] {
  if (command === undefined || !isCommitting(command)) return [];
  return [...output.matchAll(madeLine)].map(({ groups }) => {
    const { place = "", sha = "", message = "" } = groups ?? {};
    return { sha, ...(noBranch.test(place) ? {} : { branch: place }), message };
  });
}
