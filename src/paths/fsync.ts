import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { errorCode } from "../system/error-code.ts";

/** Has a file that is written and closed put on the disk. Windows flushes nothing that was opened for reading alone. */
export function fsyncFileSync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same for the names in a folder, where the system does so. */
export async function fsyncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    if (!isFsyncRefused(error)) throw error;
  } finally {
    await folder.close();
  }
}

/** The same while this thread waits. */
export function fsyncFolderSync(path: string): void {
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
function isFsyncRefused(error: unknown): boolean {
  return ["EINVAL", "EPERM"].includes(errorCode(error) ?? "");
}
