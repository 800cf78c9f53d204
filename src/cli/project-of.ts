import { basename } from "node:path";
import { repositoryTop } from "../paths/repository-top.ts";

/** The project that work in a folder belongs to: the top folder of its repository, else the folder itself. */
export function projectOf(cwd: string, override: string | undefined): string {
  if (override !== undefined && override.trim() !== "") return override.trim();
  const folder = repositoryTop(cwd) ?? cwd;
  return basename(folder) || folder;
}
