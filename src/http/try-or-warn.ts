import type { Log } from "../ground.ts";

/** Tries a write and only warns when it fails: a full or read-only disk must keep no daemon from running or ending. */
export function tryOrWarn(log: Log, ifRefused: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    log("warn", ifRefused, { error: String(error) });
  }
}
