import { closeSync, fsyncSync, openSync } from "node:fs";
import { errorCode } from "../system/error-code.ts";

/** Has a file that is written and closed put on the disk. Windows flushes nothing that was opened for reading alone. */
export function fsyncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same for the names in a folder, where the system does so. */
export function fsyncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } catch (error) {
    if (!isFsyncRefused(error)) throw error;
  } finally {
    closeSync(folder);
  }
}

/** Whether a system said that it flushes no folders: Windows (EPERM), and some file systems. */
export function isFsyncRefused(error: unknown): boolean {
  return ["EINVAL", "EPERM"].includes(errorCode(error) ?? "");
}
