import { fstatSync } from "node:fs";
import type { GlobalFlags } from "../command.ts";
import { blankPlaceFlag } from "../flags/blank-flags.ts";

/** The flags of `memsvc observe`, parsed without the library for the other commands. */
export interface ObserveFlags
  extends Pick<GlobalFlags, "json" | "quiet" | "offline" | "home" | "url" | "secretFile"> {
  readonly batch: boolean;
  readonly strict: boolean;
  /** The agent that the hook belongs to. */
  readonly hook: string | undefined;
}

/** Parses the arguments after `observe`; undefined for anything that only the complete command line understands. */
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
  const places = {
    home: values.get("--home"),
    url: values.get("--url"),
    secretFile: values.get("--secret-file"),
  };
  if (blankPlaceFlag(places) !== undefined) return undefined;
  const has = (flag: string) => given.has(flag);
  return {
    batch: has("--batch"),
    json: has("--json"),
    strict: has("--strict"),
    quiet: has("-q") || has("--quiet"),
    offline: has("--offline"),
    ...places,
    hook: values.get("--hook"),
  };
}

/**
 * Whether stdin is a terminal. Not process.stdin.isTTY, which opens the stream and thereby makes a pipe non-blocking. A
 * pipe or file is recognised by fstat, without loading the tty module.
 */
async function isTerminal(): Promise<boolean> {
  if (!fstatSync(0).isCharacterDevice()) return false;
  const { isatty } = await import("node:tty");
  return isatty(0);
}
