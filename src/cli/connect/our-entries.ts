import { basename } from "node:path";
import { isObject } from "../../json/is-object.ts";

/*
 * Recognises our entries: a hook by the flag that only our hooks have, a server by the program that it runs. There is
 * no other mark, because several agents refuse files with unknown fields.
 */

const hookMark = / observe --hook [\w-]+/u;

/** Whether `memsvc connect` wrote a hook. */
export function isOurHook(hook: unknown): boolean {
  return commandsOf(hook).some((command) => hookMark.test(command));
}

/** The shell commands of a hook. */
export function commandsOf(hook: unknown): string[] {
  if (!isObject(hook)) return [];
  const { command, commandWindows, bash, powershell } = hook;
  return [command, commandWindows, bash, powershell].filter((one) => typeof one === "string");
}

/** Whether an entry of an MCP server runs `memsvc mcp`. */
export function isOurServer(entry: unknown): entry is object {
  const words = wordsOf(entry);
  const at = words.findIndex((word) =>
    /^(?:memsvc(?:\.cmd|\.exe)?|main\.cjs)$/u.test(basename(word.replaceAll("\\", "/"))),
  );
  return at >= 0 && words.slice(at + 1).includes("mcp");
}

/** Program and arguments of a server's entry; some agents keep them in one list. */
export function wordsOf(entry: unknown): string[] {
  if (!isObject(entry)) return [];
  return [entry.command, entry.args].flat().filter((word) => typeof word === "string");
}
