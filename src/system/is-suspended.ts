import { readFileSync } from "node:fs";

/** Whether a process is stopped until it is told to go on, as by Ctrl-Z in its terminal; false where that is not shown, as on macOS. */
export function isSuspended(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The state follows the name, which stands in brackets and may hold anything.
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T ");
  } catch {
    return false;
  }
}
