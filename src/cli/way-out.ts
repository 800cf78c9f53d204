import type { MemsvcError } from "../operation/errors.ts";

/**
 * What to do about an error, for its `hint:` line. A daemon leaves out the hints that are command lines, so those
 * are found again here; `help` is the command line that shows the help of the command that was run.
 */
export function wayOutOf({ code, message, hint, extra }: MemsvcError, help: string): string | undefined {
  if (hint !== undefined) return hint;
  if (typeof extra.enableHow === "string") return extra.enableHow;
  if (typeof extra.latestId === "string") return `evolve that one: memsvc evolve ${extra.latestId} <text>`;
  if (code === "invalid_input") return `see ${help}`;
  if (code !== "not_found") return undefined;
  return message.startsWith("session ")
    ? "list the known ones: memsvc session list"
    : "find it by its words: memsvc search <query>";
}
