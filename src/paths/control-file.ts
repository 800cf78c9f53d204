import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";

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
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
