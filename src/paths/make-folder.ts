import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isMissing } from "../system/error-code.ts";

/** Mode for folders that are not memsvc's own: only the user's umask restricts it. */
export const openFolderMode = 0o777;

/**
 * Makes a folder and its missing parents, by default for the owner only. Not with `recursive: true`, which loops
 * forever in Node 20 if the system keeps denying that an existing parent exists (`/proc/x`).
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (made(path, mode)) return;
  makeFolder(dirname(path), mode);
  mkdirSync(path, { mode });
}

/** False if the parent folder is missing. A drive that is missing has none. */
function made(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return true;
    const parent = dirname(path);
    if (isMissing(error) && parent !== path && statSync(parent, { throwIfNoEntry: false }) === undefined)
      return false;
    throw error;
  }
  return true;
}
