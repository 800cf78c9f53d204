import { statSync } from "node:fs";
import { readRange } from "../../paths/read-range.ts";

/** The transcript of a long session has many megabytes; what has just happened is at its end. */
const readBytes = 1024 * 1024;

/** The lines at the end of a file, the last one first. The first line read may be incomplete. */
export function lastLines(path: string): string[] {
  const { size } = statSync(path);
  return readRange(path, Math.max(0, size - readBytes), size)
    .toString("utf8")
    .split("\n")
    .toReversed();
}
