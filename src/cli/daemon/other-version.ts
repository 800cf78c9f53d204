import { shownUrl } from "../../net/shown-url.ts";
import { version } from "../../version.ts";
import type { OpenCaller } from "../callers/caller.ts";
import { localDaemonUrl } from "./daemon-address.ts";

/**
 * A daemon that was started before an upgrade goes on as the program was: what is told of one, by the version that it
 * gives; undefined where that is this one's.
 */
export function otherVersion(where: OpenCaller["where"], home: string, running: string): string | undefined {
  if (where.kind !== "daemon" || running === version) return undefined;
  const told = `the daemon is memsvc ${running}, and this command ${version}`;
  return shownUrl(where.url) === localDaemonUrl(home) ? `${told}: memsvc daemon restart` : told;
}
