import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/*
 * Windows has no signals: what Node calls SIGTERM ends a process there where it stands. Whoever stops a daemon there asks it to
 * by a file in its home.
 */

const lookMs = 1_000;

export function stopRequestPath(home: string): string {
  return join(home, "memsvc.stop");
}

/** Asks the daemon of that number to stop. */
export function requestStop(home: string, pid: number): void {
  writeFileSync(stopRequestPath(home), `${pid}\n`, { mode: 0o600 });
}

/** Takes away what asks this process, or an earlier one of its number, to stop. */
export function clearStopRequest(home: string): void {
  if (isRequested(home)) rmSync(stopRequestPath(home), { force: true });
}

/** Resolves when this process is asked to stop; looks until the signal says so. */
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
    return Number(readFileSync(stopRequestPath(home), "utf8")) === process.pid;
  } catch {
    // No file is the ordinary case.
    return false;
  }
}
