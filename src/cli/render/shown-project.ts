import type { Terminal } from "../terminal/terminal.ts";

/** The project of a row in a list for people. Programs get it from `--json`. */
export function shownProject(
  { project }: { readonly project?: string | undefined },
  { isForPeople }: Pick<Terminal, "isForPeople">,
): string[] {
  return isForPeople ? [project ?? "every project"] : [];
}
