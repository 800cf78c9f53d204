import { statIfExists } from "./stat-if-exists.ts";

/** Whether a path leads to a regular file. A pipe would block its reader, a device may never end. */
export function isOrdinaryFile(path: string): boolean {
  return statIfExists(path)?.isFile() === true;
}
