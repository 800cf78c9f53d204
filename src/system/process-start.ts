import { processStat } from "./process-stat.ts";

/**
 * Start time of a process in clock ticks (field 22 of /proc/<pid>/stat); together with its id it identifies the process.
 * Undefined on systems other than Linux, or if the process is gone.
 */
export function startTicksOf(pid: number): string | undefined {
  return processStat(pid)?.[19];
}

/** Whether the process with that id started at these ticks; true if that cannot be told. */
export function startedAtTicks(pid: number, ticks: string | undefined): boolean {
  const now = ticks === undefined ? undefined : startTicksOf(pid);
  return now === undefined || now === ticks;
}
