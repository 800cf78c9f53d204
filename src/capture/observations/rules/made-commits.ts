import { commandKinds } from "./command-kind.ts";

/** A commit, as git itself said that it made it. */
export interface MadeCommit {
  /** In the short form that git shows. */
  readonly sha: string;
  /** Absent where no branch was checked out. */
  readonly branch?: string;
  /** First line of its message. */
  readonly message: string;
}

const committing = new Set(["git commit", "git cherry-pick", "git revert"]);
/**
 * `[main 3f2a91c] feat: cart`, `[main (root-commit) 3f2a91c] first`, `[detached HEAD 3f2a91c] try`: what is in brackets
 * is in the user's language, but for the branch.
 */
const madeLine =
  /^\[(?<place>[^\]\n]{1,300}?)(?: \([^()\n]{1,60}\))? (?<sha>[0-9a-f]{7,64})\] (?<message>[^\r\n]{1,1000})/gm;

/** The commits that a command made, by what it printed. One that was made quietly is not told. */
export function madeCommits(command: string | undefined, output: string): MadeCommit[] {
  if (command === undefined || !commandKinds(command).some((kind) => committing.has(kind))) return [];
  return [...output.matchAll(madeLine)].map(({ groups }) => {
    const { place = "", sha = "", message = "" } = groups ?? {};
    const isBranch = !place.includes(" ");
    return { sha, ...(isBranch ? { branch: place } : {}), message };
  });
}
