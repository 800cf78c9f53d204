import { type LockHolder, runningServer } from "../../config/lock-file.ts";
import { withBrackets } from "../../net/host-brackets.ts";
import { shownUrl } from "../../net/shown-url.ts";
import type { OpenCaller } from "../callers/caller.ts";

/** An address as it was named, with the standard prefix where it names no path of its own. */
export function withPrefix(named: string): string {
  const url = named.replace(/\/+$/u, "").replace(/^https?:/iu, (scheme) => scheme.toLowerCase());
  return /^https?:\/\/[^/]+$/u.test(url) ? `${url}/memsvc` : url;
}

/** Where the running server of a home is reached; one that listens everywhere is reached on loopback. */
export function serverUrl({ host, port }: LockHolder): string {
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere ? "127.0.0.1" : withBrackets(host);
  return `http://${name}:${port}/memsvc`;
}

/** Where a home's own daemon is reached, as its lock tells; undefined where none runs, or one does not listen yet. */
export function localDaemonUrl(home: string): string | undefined {
  const server = runningServer(home);
  return server === undefined || server.port === 0 ? undefined : serverUrl(server);
}

/** Where a daemon is reached: the one that answers, else the home's own, which --offline passes by. */
export function reachableDaemonUrl(where: OpenCaller["where"], home: string): string | undefined {
  return where.kind === "daemon" ? shownUrl(where.url) : localDaemonUrl(home);
}
