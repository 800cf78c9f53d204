import { errorCode } from "./error-code.ts";

/** Whether there is a process of that number, our user's or somebody else's. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/**
 * Whether the process is gone that left something with its number in the name: one that has this process's own number,
 * which is not making such a thing, was an earlier one.
 */
export function isMakerGone(pid: number): boolean {
  return pid === process.pid || !processExists(pid);
}
