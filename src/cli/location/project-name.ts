import { projectNameOf } from "../../paths/project-folder.ts";

/** The project that work in a folder belongs to, unless a setting names it. */
export function projectNameFor(cwd: string, override: string | undefined): string {
  const named = override?.trim() ?? "";
  return named === "" ? projectNameOf(cwd) : named;
}
