import { realpathSync } from "node:fs";

/**
 * The path of what is there, with links followed and each name as the disk has it: macOS and Windows find a file by other
 * spellings of its name, too, and the runtime's own way of following links would keep the one that was given.
 */
export function realPath(path: string): string {
  return realpathSync.native(path);
}
