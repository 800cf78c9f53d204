import { realpathSync } from "node:fs";

/**
 * The real path of an existing file: links followed, and every name spelled as on disk. The native function is needed,
 * because macOS and Windows find a file by other spellings too, which Node's own implementation would keep.
 */
export function realPath(path: string): string {
  return realpathSync.native(path);
}
