import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MemsvcError } from "../../operation/errors.ts";
import { packageFolder } from "../../store/migrations.ts";
import type { CommandRun } from "../command.ts";

const files = { bash: "memsvc.bash", zsh: "_memsvc", fish: "memsvc.fish" } as const;

/** Prints a completion script of the installed package. */
export const run: CommandRun = async ({ terminal }, [shell]) => {
  const file = Object.entries(files).find(([name]) => name === shell)?.[1];
  if (file === undefined) {
    throw new MemsvcError("invalid_input", `there are no completions for ${String(shell)}`, {
      hint: "bash, zsh or fish",
    });
  }
  terminal.print(readFileSync(join(packageFolder(), "completions", file), "utf8"));
  return 0;
};
