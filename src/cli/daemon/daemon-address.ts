import { type LockHolder, runningServer } from "../../config/lock-file.ts";
import { withBrackets } from "../../net/host-brackets.ts";
import { shownUrl } from "../../net/shown-url.ts";
import { withoutEndSlashes } from "../../net/without-end-slashes.ts";
import type { OpenCaller } from "../callers/caller.ts";

/** A daemon's address with the default prefix added, unless it has a path. */
export function withPrefix(named: string): string {
  const url = withoutEndSlashes(named).replace(/^https?:/iu, (scheme) => scheme.toLowerCase());
  return /^https?:\/\/[^/]+$/u.test(url) ? `${url}/memsvc` : url;
}

/** The address of a home's running server; a server on all interfaces is reached by loopback. */
export function serverUrl({ host, port }: LockHolder): string {
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere ? "127.0.0.1" : withBrackets(host);
  return `http://${name}:${port}/memsvc`;
}

/**
 * The address of a home's own daemon according to its lock; undefined if none is running, or it does not listen.
 */
export function localDaemonUrl(home: string): string | undefined {
  const server = runningServer(home);
  return server === undefined || server.port === 0 ? undefined : serverUrl(server);
}

/** The address of the daemon that answers, or of the home's own, which --offline bypasses. */
export function reachableDaemonUrl(where: OpenCaller["where"], home: string): string | undefined {
  return where.kind === "daemon" ? shownUrl(where.url) : localDaemonUrl(home);
}
