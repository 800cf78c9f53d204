import { type Stats, statSync } from "node:fs";
import { isSystemError } from "../system/is-system-error.ts";

/** The status of a file or folder; undefined if nothing is there. */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Nothing can exist at such a path: its name is too long, its links form a loop, or a folder may not be entered.
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
