import { fstatSync } from "node:fs";
import type { GlobalFlags } from "../command.ts";

/** The flags of `memsvc observe`, read without the library that reads those of the other commands. */
export interface ObserveFlags
  extends Pick<GlobalFlags, "json" | "quiet" | "offline" | "home" | "url" | "secretFile"> {
  readonly batch: boolean;
  readonly strict: boolean;
  /** The agent whose hook it is. */
  readonly hook: string | undefined;
}

/** Reads what stands behind `observe`; undefined for anything that only the whole command line understands. */
export async function readObserveFlags(args: readonly string[]): Promise<ObserveFlags | undefined> {
  const known = new Set([
    "--batch",
    "--json",
    "--strict",
    "-q",
    "--quiet",
    "--offline",
    "--no-color",
    "--no-input",
  ]);
  const withValue = new Set(["--home", "--url", "--secret-file", "--hook"]);
  const values = new Map<string, string>();
  const given = new Set<string>();
  for (let at = 0; at < args.length; at += 1) {
    const flag = args[at] ?? "";
    const value = args[at + 1];
    if (withValue.has(flag) && value !== undefined) {
      at += 1;
      values.set(flag, value);
    } else if (known.has(flag)) given.add(flag);
    else return undefined;
  }
  if (await isTerminal()) return undefined;
  const has = (flag: string) => given.has(flag);
  return {
    batch: has("--batch"),
    json: has("--json"),
    strict: has("--strict"),
    quiet: has("-q") || has("--quiet"),
    offline: has("--offline"),
    home: values.get("--home"),
    url: values.get("--url"),
    secretFile: values.get("--secret-file"),
    hook: values.get("--hook"),
  };
}

/**
 * Not process.stdin.isTTY: it opens the stream, which makes the pipe non-blocking. A pipe or a file is no terminal,
 * and to know that takes less than to load the module that knows terminals.
 */
async function isTerminal(): Promise<boolean> {
  if (!fstatSync(0).isCharacterDevice()) return false;
  const { isatty } = await import("node:tty");
  return isatty(0);
}
