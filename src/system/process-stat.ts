import { readFileSync } from "node:fs";

/**
 * The fields of /proc/<pid>/stat from the third one on, which is the state; undefined on systems other than Linux, or if
 * the process is gone. They are counted after the last bracket, because the second field, the name in brackets, may
 * contain anything.
 */
export function processStat(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
