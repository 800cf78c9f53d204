import { accessSync, constants } from "node:fs";

/** Whether something is there that this process may read. */
export function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    // This is how the question is answered with no; there is no other way to ask it.
    return false;
  }
}
