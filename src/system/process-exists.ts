import { errorCode } from "./error-code.ts";

/** Whether a process with that id exists, of any user. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/**
 * Whether the process that put its id into the name of a leftover is gone. A leftover with this process's own id was
 * made by an earlier process, as callers know that they are not making one.
 */
export function isCreatorGone(pid: number): boolean {
  return pid === process.pid || !processExists(pid);
}
