import { type Stats, statSync } from "node:fs";
import { isSystemError } from "../system/is-system-error.ts";

/** What a path leads to, if it leads anywhere. */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Nothing can have a name that is too long, lie behind links that lead in a circle or in a folder that may not be entered.
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
