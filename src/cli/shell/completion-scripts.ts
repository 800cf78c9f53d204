import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../store/migrations.ts";

/** The package's completion scripts, by shell. */
export const completionFiles = { bash: "memsvc.bash", zsh: "_memsvc", fish: "memsvc.fish" } as const;

/** The completion script for a shell; undefined if there is none. */
export function completionScript(shell: string): string | undefined {
  const file = Object.entries(completionFiles).find(([name]) => name === shell)?.[1];
  return file === undefined ? undefined : readFileSync(join(packageFolder(), "completions", file), "utf8");
}
