import { MemsvcError } from "../../operation/errors.ts";
import type { CommandRun } from "../command.ts";
import { completionScript } from "../shell/completion-scripts.ts";

/** Prints a completion script of the installed package. */
export const run: CommandRun = async ({ terminal }, [shell]) => {
  const script = completionScript(String(shell));
  if (script === undefined) {
    throw new MemsvcError("invalid_input", `there are no completions for ${String(shell)}`, {
      hint: "bash, zsh or fish",
    });
  }
  terminal.print(script);
  return 0;
};
