import { MemsvcError } from "../../operation/errors.ts";
import type { CommandRun } from "../command.ts";
import { captureStdin } from "../observe/observe-fast.ts";

/** Reached if the fast path in main.ts did not handle the event: stdin is a terminal, or the flags are unusual. */
export const run: CommandRun = async ({ globals }, _positional, flags) => {
  if (process.stdin.isTTY) {
    throw new MemsvcError("invalid_input", "observe reads an event from stdin, which is a terminal here", {
      hint: "pipe it in: echo '{…}' | memsvc observe",
    });
  }
  const hook = typeof flags.hook === "string" ? flags.hook : undefined;
  return captureStdin({ ...globals, batch: flags.batch === true, strict: flags.strict === true, hook });
};
