import { renameSync } from "node:fs";
import { rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../system/error-code.ts";

/*
 * Windows gives the name of a file that somebody has open to no other file, and whoever reads it, or looks through it for
 * viruses, has it open for a moment.
 */

const mostAttempts = 50;
const pauseMs = 20;

/** What Windows says of a file that somebody has open. */
export function isHeldOpen(error: unknown): boolean {
  return process.platform === "win32" && ["EBUSY", "EPERM", "EACCES"].includes(errorCode(error) ?? "");
}

/** Gives a file the name of another, which goes. */
export async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!isHeldOpen(error) || attempt === mostAttempts) throw error;
      await sleep(pauseMs);
    }
  }
}

/** The same while this thread waits. */
export function renameOverSync(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (!isHeldOpen(error) || attempt === mostAttempts) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
