import { join } from "node:path";
import { smallFile } from "./git-files.ts";

interface CoreSettings {
  /** Whether the repository has no main working tree. */
  readonly bare: boolean;
  /** The main working tree, if it is not beside the git folder. */
  readonly worktree: string | undefined;
}

/** What a repository's own configuration says about its main working tree. Included files are not read. */
export function readCoreSettings(commonDir: string): CoreSettings {
  const settings = new Map<string, string>();
  for (const name of ["config", "config.worktree"]) {
    let section = "";
    for (const line of (smallFile(join(commonDir, name)) ?? "").split("\n")) {
      const heading = /^\s*\[([^\]]*)\]/u.exec(line)?.[1];
      if (heading !== undefined) section = heading.trim().toLowerCase();
      const [, key, value] = /^\s*(\w+)\s*(?:=\s*(.*?))?\s*$/u.exec(line) ?? [];
      if (section === "core" && key !== undefined) settings.set(key.toLowerCase(), value ?? "true");
    }
  }
  const bare = (settings.get("bare") ?? "false").toLowerCase();
  return {
    bare: ["true", "yes", "on", "1"].includes(bare),
    worktree: settings.get("worktree")?.replace(/^"(.*)"$/u, "$1"),
  };
}
