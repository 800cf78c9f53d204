import { rmSync } from "node:fs";
import { join } from "node:path";
import { readControlFile, writeControlFile } from "../paths/control-file.ts";

/*
 * Windows has no signals: what Node calls SIGTERM kills a process at once there. So stopping a daemon on Windows is
 * requested by a file in its home.
 */

const lookMs = 1_000;

export function stopRequestPath(home: string): string {
  return join(home, "memsvc.stop");
}

/** Asks the daemon with that process id to stop. */
export function requestStop(home: string, pid: number): void {
  writeControlFile(stopRequestPath(home), `${pid}\n`);
}

/** Removes a request that names this process, or an earlier one with the same id. */
export function clearStopRequest(home: string): void {
  if (isRequested(home)) rmSync(stopRequestPath(home), { force: true });
}

/** Resolves when this process is asked to stop; the signal ends the waiting. */
export function awaitStopRequest(home: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isRequested(home)) resolve();
    }, lookMs);
    timer.unref();
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  });
}

function isRequested(home: string): boolean {
  try {
    return Number(readControlFile(stopRequestPath(home))) === process.pid;
  } catch {
    // No file: the usual case.
    return false;
  }
}
