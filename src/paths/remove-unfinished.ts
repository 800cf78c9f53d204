import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { hourMs } from "../durations.ts";

/** A file that somebody writes grows all the time; what was not touched for this long has nobody who makes it. */
export const longestMakingMs = hourMs;

/** Removes what processes left in a folder that were killed while they wrote, by its names. */
export async function removeUnfinished(
  folder: string,
  isUnfinished: (name: string) => boolean,
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!isUnfinished(name)) continue;
    const path = join(folder, name);
    // Another process may be at it, or have just given it its name.
    const changed = await stat(path).catch(() => undefined);
    if (changed !== undefined && Date.now() - changed.mtimeMs > longestMakingMs)
      await rm(path, { force: true });
  }
}
