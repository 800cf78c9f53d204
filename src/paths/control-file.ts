import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { writeWithoutWaiting } from "./write-without-waiting.ts";

/*
 * The small files in a home by which processes tell each other something. A pipe in the place of one would keep whoever
 * opens it waiting for ever, so they are opened without waiting.
 */

/** The text of a control file; empty if it is not a regular file. Errors: the system's. */
export function readControlFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    return found.isFile() || found.isDirectory() ? readFileSync(file, "utf8") : "";
  } finally {
    closeSync(file);
  }
}

/** The same; undefined if there is no such file, or none that this user may read. */
export function controlFileIn(path: string): string | undefined {
  try {
    return readControlFile(path);
  } catch {
    return undefined;
  }
}

/** Writes a control file, which only its owner may read. Errors: the system's, ENXIO for a pipe. */
export function writeControlFile(path: string, text: string): void {
  writeWithoutWaiting(path, text, "replace");
}
