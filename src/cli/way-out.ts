import type { MemsvcError } from "../operation/errors.ts";

const search = "find it by its words: memsvc search <query>";

/** Where what is not known is found, by the message; the services give the same hints. */
const findingPlaces: readonly (readonly [RegExp, string])[] = [
  [/^session /u, "list the known ones: memsvc session list"],
  [/^no session is linked to commit /u, "list the linked commits: memsvc session commits"],
  [/^snapshot /u, "list the known ones: memsvc snapshot list"],
  [/^there is no slot /u, "see those that there are: memsvc slot list"],
  [/^lesson /u, "find it by its words: memsvc lesson search <query>"],
  [/^graph node /u, "find it by its name: memsvc graph query <text>"],
  [/^none of the memories /u, "list what there is: memsvc memory list"],
  [/ (?:does not exist|is no folder)$/u, "look at the path"],
  [/^(?:memory|observation|nothing to forget:|none of the ids) /u, search],
  [/ is neither a memory nor an observation /u, search],
];

/**
 * What to do about an error, for its `hint:` line. A daemon leaves out the hints that are command lines, so those
 * are found again here; `help` is the command line that shows the help of the command that was run.
 */
export function wayOutOf({ code, message, hint, extra }: MemsvcError, help: string): string | undefined {
  if (hint !== undefined) return hint;
  if (typeof extra.enableHow === "string") return extra.enableHow;
  if (typeof extra.latestId === "string") return `evolve that one: memsvc evolve ${extra.latestId} <text>`;
  if (code === "invalid_input") return `see ${help}`;
  if (code === "feature_off" && message.startsWith("mesh "))
    return "set the same one on all machines, then restart the daemon: memsvc config set MEMSVC_SECRET";
  if (code !== "not_found") return undefined;
  return findingPlaces.find(([words]) => words.test(message))?.[1];
}
