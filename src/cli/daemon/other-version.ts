import { shownUrl } from "../../net/shown-url.ts";
import { version } from "../../version.ts";
import type { OpenCaller } from "../callers/caller.ts";
import { localDaemonUrl } from "./daemon-address.ts";

/**
 * A daemon that was started before an upgrade keeps running the old version: returns a note about that, or undefined if
 * the versions are equal.
 */
export function otherVersion(where: OpenCaller["where"], home: string, running: string): string | undefined {
  if (where.kind !== "daemon" || running === version) return undefined;
  const told = `the daemon is memsvc ${running}, and this command ${version}`;
  return shownUrl(where.url) === localDaemonUrl(home) ? `${told}: memsvc daemon restart` : told;
}
