import { statSync } from "node:fs";

/** Whether a path leads to an ordinary file: a pipe in its place would keep a reader waiting, a device might have no end. */
export function isOrdinaryFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    // Links that lead in a circle, or a folder that may not be entered: there is no file that could be read.
    if (error instanceof Error && "syscall" in error) return false;
    throw error;
  }
}
