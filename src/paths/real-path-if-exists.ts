import { isSystemError } from "../system/is-system-error.ts";
import { realPath } from "./real-path.ts";

/** As `realPath`; undefined if the path leads nowhere. */
export function realPathIfExists(path: string): string | undefined {
  try {
    return realPath(path);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
