import { statSync } from "node:fs";

/** Size of a file in bytes; 0 if it does not exist. */
export function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
