import { rmSync } from "node:fs";
import { join } from "node:path";
import { controlFileIn, writeControlFile } from "../paths/control-file.ts";

/*
 * Windows has no signals: what Node calls SIGTERM kills a process at once there. So stopping a daemon on Windows is
 * requested by a file in its home.
 */

export function stopRequestPath(home: string): string {
  return join(home, "memsvc.stop");
}

/** Asks the daemon with that process id to stop. */
export function requestStop(home: string, pid: number): void {
  writeControlFile(stopRequestPath(home), `${pid}\n`);
}

/** Removes a request that names this process, or an earlier one with the same id. */
export function clearStopRequest(home: string): void {
  if (isStopRequested(home)) rmSync(stopRequestPath(home), { force: true });
}

/** Whether this process is asked to stop. */
export function isStopRequested(home: string): boolean {
  return Number(controlFileIn(stopRequestPath(home))) === process.pid;
}
