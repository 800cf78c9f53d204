import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The transcript of a long session has many megabytes; what has just happened is at its end. */
const readBytes = 1024 * 1024;

/** The lines at the end of a file, the last one first. The first line read may be incomplete. */
export function lastLines(path: string): string[] {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, readBytes));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", 0, read).split("\n").toReversed();
  } finally {
    closeSync(file);
  }
}
