import { type LockHolder, runningServer } from "../../config/lock-file.ts";
import { isRemoteAddress } from "../../net/remote-address.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { isSuspended, isSuspendedByPs } from "../../system/is-suspended.ts";

/*
 * A suspended daemon (Ctrl-Z in its terminal) accepts connections and answers nothing until it continues. Its state can
 * be read, so that nobody has to wait in vain for it.
 */

/** The home's daemon if it is suspended; undefined also where the system does not show that at once. */
export function suspendedDaemon(home: string): LockHolder | undefined {
  const server = runningServer(home);
  return server !== undefined && isSuspended(server.pid) ? server : undefined;
}

/** Like suspendedDaemon, for a daemon that gave no answer: finding out why may then take a moment. */
export function silentlySuspendedDaemon(home: string): LockHolder | undefined {
  const server = runningServer(home);
  const isStopped = server !== undefined && (isSuspended(server.pid) || isSuspendedByPs(server.pid));
  return isStopped ? server : undefined;
}

/** A suspended daemon as one of the above finds it, for requests to an address, where another daemon may listen. */
export function suspendedDaemonAt(
  url: string,
  home: string,
  find: (home: string) => LockHolder | undefined = suspendedDaemon,
): LockHolder | undefined {
  if (!URL.canParse(url) || isRemoteAddress(url)) return undefined;
  const server = find(home);
  return server?.port === Number(new URL(url).port) ? server : undefined;
}

/** The error for a request to a suspended daemon; `otherwise` says what else helps, or what to expect. */
export function suspendedError({ pid }: LockHolder, otherwise: string): MemsvcError {
  return new MemsvcError("daemon_unreachable", `the daemon (pid ${pid}) is suspended, as by Ctrl-Z`, {
    hint: `let it go on: fg in its terminal, or kill -CONT ${pid}; ${otherwise}`,
  });
}
