import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The top folder of the repository that a folder lies in; undefined outside one. */
export function repositoryTop(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (current === dirname(current)) return undefined;
  }
}
