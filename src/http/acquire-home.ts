import { setTimeout as sleep } from "node:timers/promises";
import { databaseFile } from "../config/home.ts";
import { hasLock, lockPath, takeLock } from "../config/lock-file.ts";
import { MemsvcError } from "../operation/errors.ts";
import { storeFault } from "../store/faults.ts";
import { makeHome } from "../store/make-home.ts";

/** How long a second server waits for one that holds the home but takes no requests (port 0 in its lock). */
const patienceMs = 5_000;
const lockPauseMs = 100;

/**
 * Creates the home if it does not exist and locks it for this process. `afterCrash`: the last server did not shut down
 * properly. Errors: home_locked, store_damaged, disk_full.
 */
export async function acquireHome(home: string, host: string): Promise<{ readonly afterCrash: boolean }> {
  makeHome(home);
  try {
    // A lock that can be taken although its file exists was left behind by a process that is gone.
    const afterCrash = hasLock(home);
    await lockHome(home, host);
    return { afterCrash };
  } catch (error) {
    throw storeFault(error, databaseFile(home));
  }
}

/**
 * Waits for a holder that is starting or stopping: it will either write its port into the lock, or release the lock.
 */
async function lockHome(home: string, host: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += lockPauseMs) {
    const lock = takeLock(home, { pid: process.pid, port: 0, host });
    if (lock.kind === "taken") return;
    const { pid, port } = lock.by;
    if (port !== 0 || waitedMs >= patienceMs) throw homeLocked(home, pid, port);
    await sleep(lockPauseMs);
  }
}

function homeLocked(home: string, pid: number, port: number): MemsvcError {
  return new MemsvcError(
    "home_locked",
    `memsvc already runs on this home: pid ${pid}, ${port === 0 ? "starting or stopping" : `port ${port}`}`,
    {
      hint: `use that one, or stop it first: memsvc daemon stop; the lock is ${lockPath(home)}`,
    },
  );
}
