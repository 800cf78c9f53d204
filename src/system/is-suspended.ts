import { askPs } from "./ask-ps.ts";
import { processStat } from "./process-stat.ts";

/**
 * Whether a process is stopped until it gets SIGCONT, as by Ctrl-Z in its terminal; false where the system does not show
 * that at once, as Linux does.
 */
export function isSuspended(pid: number): boolean {
  return processStat(pid)?.[0] === "T";
}

/** The same by `ps`, which also tells it on macOS, but takes some milliseconds. */
export function isSuspendedByPs(pid: number): boolean {
  return askPs("stat", pid)?.startsWith("T") === true;
}
