import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../system/error-code.ts";
import { isMakerGone } from "../system/process-exists.ts";
import { hourMs } from "../time/durations.ts";
import { isUnfinishedFile, unfinishedFilePid } from "./durable-file.ts";

/** A file that somebody writes grows all the time; what was not touched for this long has nobody who makes it. */
export const longestMakingMs = hourMs;

/**
 * Removes what processes left in a folder that were killed while they wrote, by its names. Where a name tells the number
 * of the process, what one left that is gone goes at once, and so does what an earlier one of this number left: for those
 * whose files have such names and which make one at a time.
 */
export async function removeUnfinished(
  folder: string,
  isUnfinished: (name: string) => boolean,
  makerOf: (name: string) => number = () => Number.NaN,
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!isUnfinished(name)) continue;
    const path = join(folder, name);
    // Another process may be at it, or have just given it its name.
    const changed = await stat(path).catch(() => undefined);
    if (changed === undefined) continue;
    const maker = makerOf(name);
    const isLeft = !Number.isNaN(maker) && isMakerGone(maker);
    if (isLeft || Date.now() - changed.mtimeMs > longestMakingMs) await removeIfAllowed(path);
  }
}

/** One that is another user's stays: to tidy up is not what anybody came for. */
async function removeIfAllowed(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** The same for one file that is written under other names first, which this process may be doing just now. */
export async function removeUnfinishedOf(path: string): Promise<void> {
  const beginning = `${basename(path)}.`;
  await removeUnfinished(
    dirname(path),
    (name) => name.startsWith(beginning) && isUnfinishedFile(name),
    (name) => {
      const maker = unfinishedFilePid(name);
      return maker === process.pid ? Number.NaN : maker;
    },
  );
}
