import { processStat } from "./process-stat.ts";

/** Whether a process is stopped until it gets SIGCONT, as by Ctrl-Z in its terminal; false where that cannot be told. */
export function isSuspended(pid: number): boolean {
  return processStat(pid)?.[0] === "T";
}
