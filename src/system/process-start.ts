import { readFileSync } from "node:fs";

/**
 * Start time of a process in clock ticks; together with its id it identifies the process. Undefined on systems other
 * than Linux, or if the process is gone. It is field 22 of /proc/<pid>/stat; fields are counted after the last bracket,
 * because the second field, the name in brackets, may contain anything.
 */
export function startTicksOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    // Not Linux, or the process is gone.
    return undefined;
  }
}

/** Whether the process with that id started at these ticks; true if that cannot be told. */
export function startedAtTicks(pid: number, ticks: string | undefined): boolean {
  const now = ticks === undefined ? undefined : startTicksOf(pid);
  return now === undefined || now === ticks;
}
