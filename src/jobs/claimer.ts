import { processExists } from "../system/process-exists.ts";
import { startedAtTicks, startTicksOf } from "../system/process-start.ts";

/** How this process signs what it claims. Its number alone would not do: in a container every start has the same. */
export function claimerName(): string {
  return `${process.pid} ${startTicksOf(process.pid) ?? "-"}`;
}

/** Whether a process of this machine that signed so has ended; not where that cannot be told. */
export function isGone(claimer: string): boolean {
  const [, number, ticks] = /^(\d+)(?: (?:(\d+)|-))?$/u.exec(claimer) ?? [];
  if (number === undefined) return false;
  const pid = Number(number);
  return !processExists(pid) || !startedAtTicks(pid, ticks);
}
