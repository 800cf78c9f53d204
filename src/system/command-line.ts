import { readFileSync } from "node:fs";
import { askPs } from "./ask-ps.ts";

/**
 * The command line of a process, if the system shows it at once: from /proc on Linux, for processes that we may read.
 */
export function shownWords(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // Not Linux, or not readable for us.
    return undefined;
  }
}

/** The command line of a process from `ps`, split at every blank; undefined if `ps` fails. */
export function wordsByPs(pid: number): string[] | undefined {
  return askPs("command", pid)?.split(/\s+/u);
}
