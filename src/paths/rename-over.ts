import { renameSync } from "node:fs";
import { rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../system/error-code.ts";
import { blockFor } from "../time/block-for.ts";

/*
 * On Windows a file that is open can be neither replaced nor renamed, and whoever reads or scans it for viruses has it
 * open for a moment. So renames are retried.
 */

const mostAttempts = 50;
const pauseMs = 20;

/** Windows' errors for a file that somebody has open. */
export function isHeldOpen(error: unknown): boolean {
  return process.platform === "win32" && ["EBUSY", "EPERM", "EACCES"].includes(errorCode(error) ?? "");
}

/** Renames a file over another one. */
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

/** Like renameOver, synchronously. */
export function renameOverSync(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (!isHeldOpen(error) || attempt === mostAttempts) throw error;
      blockFor(pauseMs);
    }
  }
}
