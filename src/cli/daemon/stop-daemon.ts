import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  isAlive,
  type LockHolder,
  lockPath,
  refuseUnreadableLock,
  runningServer,
  verifiedServer,
} from "../../config/lock-file.ts";
import { requestStop, stopRequestPath } from "../../config/stop-request.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { refusalOf } from "../../paths/system-refusal.ts";
import { errorCode } from "../../system/error-code.ts";
import { isSuspendedByPs } from "../../system/is-suspended.ts";
import { killCommand } from "./kill-command.ts";
import { runningUrl } from "./start-daemon.ts";

const lookMs = 50;
/** The daemon gives its requests and its jobs 10 s each to end. */
const longestMs = 25_000;

/**
 * Stops a home's daemon and waits until its process is gone; returns what its lock said, or undefined if none was
 * running. Errors: conflict if the process in the lock is not memsvc, home_locked if the lock cannot be read, forbidden
 * if it belongs to another user, unavailable if it does not stop.
 */
export async function stopDaemon(home: string): Promise<LockHolder | undefined> {
  const server = verifiedServer(home);
  if (server === undefined) {
    refuseUnreadableLock(home);
    return undefined;
  }
  await refuseOtherProgram(home, server);
  if (process.platform === "win32") askByFile(home, server);
  else askBySignal(server);
  for (const until = performance.now() + longestMs; performance.now() < until; await sleep(lookMs)) {
    // It releases the home before its process ends.
    if (runningServer(home)?.pid !== server.pid && !isAlive(server.pid, home)) return server;
  }
  throw new MemsvcError(
    "unavailable",
    `the daemon (pid ${server.pid}) has not stopped after ${longestMs / 1000} s`,
    {
      hint: `see what it does: memsvc daemon logs; ${killCommand(server.pid)} ends it, and no acknowledged write is lost`,
    },
  );
}

/**
 * Refuses to stop a process that does not answer as memsvc, because process ids are reused. Where /proc shows the
 * program, the lock has checked that already.
 */
async function refuseOtherProgram(home: string, { pid, port }: LockHolder): Promise<void> {
  if (existsSync(`/proc/${pid}/cmdline`) || port === 0) return;
  if ((await runningUrl(home)) !== undefined) return;
  // A suspended daemon answers nothing; where `ps` shows that, it has also shown the lock that the process is ours.
  if (isSuspendedByPs(pid)) return;
  throw new MemsvcError("conflict", `pid ${pid} holds the lock of ${home}, but does not answer as memsvc`, {
    hint: `if that is another program, remove ${lockPath(home)}`,
  });
}

function askBySignal({ pid }: LockHolder): void {
  try {
    process.kill(pid, "SIGTERM");
    // A suspended process handles the signal only once it continues.
    process.kill(pid, "SIGCONT");
  } catch (error) {
    const code = errorCode(error);
    // It has ended by itself meanwhile.
    if (code === "ESRCH") return;
    throw new MemsvcError("forbidden", `the daemon (pid ${pid}) belongs to another user`, { cause: error });
  }
}

function askByFile(home: string, { pid }: LockHolder): void {
  try {
    requestStop(home, pid);
  } catch (error) {
    throw refusalOf(
      error,
      `the daemon (pid ${pid}) cannot be asked to stop: ${stopRequestPath(home)} cannot be written`,
      `see what stands there; ${killCommand(pid)} ends it, and no acknowledged write is lost`,
    );
  }
}
