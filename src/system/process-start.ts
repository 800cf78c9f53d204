import { readFileSync } from "node:fs";

/**
 * When a process started, as Linux counts it: with its number it names the process for good. Undefined elsewhere, or
 * where it is gone. Field 22 of what Linux tells of it; the second, its name in brackets, may hold anything.
 */
export function startTicksOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    // Not Linux, or gone meanwhile.
    return undefined;
  }
}

/** Whether the process of a number is the one that started at these ticks, as far as that can be told. */
export function startedAtTicks(pid: number, ticks: string | undefined): boolean {
  const now = ticks === undefined ? undefined : startTicksOf(pid);
  return now === undefined || now === ticks;
}
