import { processExists } from "../system/process-exists.ts";
import { startedAtTicks, startTicksOf } from "../system/process-start.ts";

/**
 * The name under which this process claims jobs: its id and the time of its start. The id alone would not do, because
 * in a container every start has the same.
 */
export function claimerName(): string {
  return `${process.pid} ${startTicksOf(process.pid) ?? "-"}`;
}

/** Whether the process of this machine that claimed under this name has ended; false when that cannot be told. */
export function isGone(claimer: string): boolean {
  const [, number, ticks] = /^(\d+)(?: (?:(\d+)|-))?$/u.exec(claimer) ?? [];
  if (number === undefined) return false;
  const pid = Number(number);
  return !processExists(pid) || !startedAtTicks(pid, ticks);
}
