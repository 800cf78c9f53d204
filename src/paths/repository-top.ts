import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** The top folder of the repository that a folder lies in; undefined outside one, and for a folder of another system. */
export function repositoryTop(folder: string): string | undefined {
  // The way up from what is no absolute path here would end in this process's own folder.
  if (!isAbsolute(folder)) return undefined;
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (current === dirname(current)) return undefined;
  }
}
