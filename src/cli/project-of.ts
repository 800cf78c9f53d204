import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The project that work in a folder belongs to: the top folder of its repository, else the folder itself. */
export function projectOf(cwd: string, override: string | undefined): string {
  if (override !== undefined && override.trim() !== "") return override.trim();
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return basename(folder) || folder;
    if (folder === dirname(folder)) return basename(cwd) || cwd;
  }
}
