import { statIfExists } from "./stat-if-exists.ts";

/** Whether a path leads to an ordinary file: a pipe in its place would keep a reader waiting, a device might have no end. */
export function isOrdinaryFile(path: string): boolean {
  return statIfExists(path)?.isFile() === true;
}
