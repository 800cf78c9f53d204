import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { errorCode } from "../system/error-code.ts";

/** Flushes a file to disk. Opened for writing, because Windows does not flush a file that is open for reading only. */
export function fsyncFileSync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Flushes the entries of a folder, on systems that support it. */
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

/** Like fsyncFolder, synchronously. */
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

/** Whether the system does not support flushing folders: Windows (EPERM), and some file systems (EINVAL). */
function isFsyncRefused(error: unknown): boolean {
  return ["EINVAL", "EPERM"].includes(errorCode(error) ?? "");
}
