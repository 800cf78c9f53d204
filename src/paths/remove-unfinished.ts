import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../system/error-code.ts";
import { isCreatorGone } from "../system/process-exists.ts";
import { hourMs } from "../time/durations.ts";
import { isUnfinishedFile, unfinishedFilePid } from "./durable-file.ts";

/**
 * An unfinished file that was not changed for this long has been abandoned: one that is being written grows all the
 * time.
 */
export const longestMakingMs = hourMs;

/**
 * Removes unfinished files that killed processes left in a folder. `makerOf`, for files with a process id in their
 * names: if that process is gone, its file is removed at once, and so is a file with this process's id, since this
 * process is not writing one now.
 */
export async function removeUnfinished(
  folder: string,
  isUnfinished: (name: string) => boolean,
  makerOf: (name: string) => number = () => Number.NaN,
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!isUnfinished(name)) continue;
    const path = join(folder, name);
    // Another process may be removing it, or may just have renamed it.
    const changed = await stat(path).catch(() => undefined);
    if (changed === undefined) continue;
    const maker = makerOf(name);
    const isLeft = !Number.isNaN(maker) && isCreatorGone(maker);
    if (isLeft || Date.now() - changed.mtimeMs > longestMakingMs) await removeIfAllowed(path);
  }
}

/** Ignores system errors, such as for another user's file: cleaning up is only a side task. */
async function removeIfAllowed(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/**
 * Removes unfinished versions of one file. This process may be writing one at the moment, so a file with its own id is
 * only removed if it is old.
 */
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
