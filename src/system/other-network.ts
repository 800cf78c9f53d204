import { readlinkSync } from "node:fs";
import { isSystemError } from "./is-system-error.ts";

/**
 * Whether a process is on another network than this one, as Linux has them for sandboxes and containers: an address of
 * its own machine leads nowhere from here. False where the system does not tell.
 */
export function isOnOtherNetwork(pid: number): boolean {
  const [own, other] = [networkOf("self"), networkOf(pid)];
  return own !== undefined && other !== undefined && own !== other;
}

function networkOf(process: number | "self"): string | undefined {
  try {
    return readlinkSync(`/proc/${process}/ns/net`);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
