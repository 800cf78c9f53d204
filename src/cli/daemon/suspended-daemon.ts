import { type LockHolder, runningServer } from "../../config/lock-file.ts";
import { isRemoteAddress } from "../../net/remote-address.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { isSuspended } from "../../system/is-suspended.ts";

/*
 * A suspended daemon (Ctrl-Z in its terminal) accepts connections and answers nothing until it continues. Its state can
 * be read, so that nobody has to wait in vain for it.
 */

/** The home's daemon if it is suspended; undefined also where the system does not tell that. */
export function suspendedDaemon(home: string): LockHolder | undefined {
  const server = runningServer(home);
  return server !== undefined && isSuspended(server.pid) ? server : undefined;
}

/** Like suspendedDaemon, for requests to an address, where another daemon may listen. */
export function suspendedDaemonAt(url: string, home: string): LockHolder | undefined {
  if (!URL.canParse(url) || isRemoteAddress(url)) return undefined;
  const server = suspendedDaemon(home);
  return server?.port === Number(new URL(url).port) ? server : undefined;
}

/** The error for a request that is not even sent; `otherwise` is a way that does without the daemon. */
export function suspendedError({ pid }: LockHolder, otherwise?: string): MemsvcError {
  const wayOut = `let it go on: fg in its terminal, or kill -CONT ${pid}`;
  return new MemsvcError("daemon_unreachable", `the daemon (pid ${pid}) is suspended, as by Ctrl-Z`, {
    hint: otherwise === undefined ? wayOut : `${wayOut}; ${otherwise}`,
  });
}
