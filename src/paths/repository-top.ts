import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/**
 * The top folder of the repository that contains a folder; undefined outside a repository, and for a path of another
 * operating system.
 */
export function repositoryTop(folder: string): string | undefined {
  // For a relative path the loop would end at this process's working directory.
  if (!isAbsolute(folder)) return undefined;
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (current === dirname(current)) return undefined;
  }
}
