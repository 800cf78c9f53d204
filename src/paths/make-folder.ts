import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../system/error-code.ts";

/** Mode of folders that are not our own: what the user allows others (umask) is what they may. */
export const openFolderMode = 0o777;

/**
 * Makes a folder, for the owner alone unless told otherwise, and those above it where they are missing. Not by the runtime's `recursive`, which
 * in Node 20 tries for ever where the system says of a folder that is there that it is not (`/proc/x`).
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (made(path, mode)) return;
  makeFolder(dirname(path), mode);
  mkdirSync(path, { mode });
}

/** False where the folder above is missing. */
function made(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return true;
    if (errorCode(error) === "ENOENT" && statSync(dirname(path), { throwIfNoEntry: false }) === undefined)
      return false;
    throw error;
  }
  return true;
}
