import { MemsvcError } from "../../operation/errors.ts";
import type { CommandRun } from "../command.ts";
import { observeQuickly } from "../observe/observe-fast.ts";

/** Reached when the quick path in main.ts gave up: stdin is a terminal, or the flags are unusual. */
export const run: CommandRun = async ({ globals }, _positional, flags) => {
  if (process.stdin.isTTY) {
    throw new MemsvcError("invalid_input", "observe reads an event from stdin, which is a terminal here", {
      hint: "pipe it in: echo '{…}' | memsvc observe",
    });
  }
  const given: readonly (readonly [boolean, readonly string[]])[] = [
    [flags.batch === true, ["--batch"]],
    [flags.strict === true, ["--strict"]],
    [globals.json, ["--json"]],
    [globals.quiet, ["--quiet"]],
    [globals.offline, ["--offline"]],
    [globals.home !== undefined, ["--home", globals.home ?? ""]],
    [globals.url !== undefined, ["--url", globals.url ?? ""]],
    [globals.secretFile !== undefined, ["--secret-file", globals.secretFile ?? ""]],
    [typeof flags.hook === "string", ["--hook", String(flags.hook)]],
  ];
  return (await observeQuickly(given.filter(([isGiven]) => isGiven).flatMap(([, words]) => words))) ?? 2;
};
