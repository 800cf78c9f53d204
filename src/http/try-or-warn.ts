import type { Log } from "../ground.ts";

/** Writes what a disk that is full or became read-only may refuse: that keeps no daemon from running, nor from ending. */
export function tryOrWarn(log: Log, ifRefused: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    log("warn", ifRefused, { error: String(error) });
  }
}
