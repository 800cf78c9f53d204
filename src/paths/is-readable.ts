import { accessSync, constants } from "node:fs";

/** Whether something readable exists at a path. */
export function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    // There is no other way to ask; failing means no.
    return false;
  }
}
