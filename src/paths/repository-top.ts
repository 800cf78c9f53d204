import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** What the top folder of a repository contains. A workspace of Jujutsu need not be a repository of git as well. */
const marks = [".git", ".jj"];

/**
 * The top folder of the repository that contains a folder; undefined outside a repository, and for a path of another
 * operating system.
 */
export function repositoryTop(folder: string): string | undefined {
  // For a relative path the loop would end at this process's working directory.
  if (!isAbsolute(folder)) return undefined;
  for (let current = folder; ; current = dirname(current)) {
    if (marks.some((mark) => existsSync(join(current, mark)))) return current;
    if (current === dirname(current)) return undefined;
  }
}
