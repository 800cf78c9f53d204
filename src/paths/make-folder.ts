import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../error-code.ts";

/**
 * Makes a folder, for the owner alone, and those above it where they are missing. Not by the runtime's `recursive`, which
 * in Node 20 tries for ever where the system says of a folder that is there that it is not (`/proc/x`).
 */
export function makeFolder(path: string): void {
  if (made(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** False where the folder above is missing. */
function made(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return true;
    if (errorCode(error) === "ENOENT" && statSync(dirname(path), { throwIfNoEntry: false }) === undefined)
      return false;
    throw error;
  }
  return true;
}
