import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

let written = 0;

/**
 * Writes a file so that after a crash there is either the whole of it or what was there before: under another name
 * first, flushed to the disk, then renamed.
 */
export async function writeDurably(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  await replaceFile(path, content, { mode, isFlushed: true });
  await flushFolder(dirname(path));
}

/**
 * Writes a file that can be made again at any time, so that no other program ever sees half of it: under another name
 * first, then renamed.
 */
export function writeWhole(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  return replaceFile(path, content, { mode, isFlushed: false });
}

/** Whether a name is that of a file which was being written so, and has not got its own name yet. */
export function isUnfinishedFile(name: string): boolean {
  return /\.\d+-\d+\.tmp$/u.test(name);
}

async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode, isFlushed }: { readonly mode: number; readonly isFlushed: boolean },
): Promise<void> {
  written += 1;
  const temporary = `${path}.${process.pid}-${written}.tmp`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(content);
      // Whatever the process masks of the modes of new files.
      await file.chmod(mode);
      if (isFlushed) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    // Of the system's faults some name no file, and others name one that nobody knows.
    if (error instanceof Error && "code" in error) Object.assign(error, { path });
    throw error;
  }
}

/** The new name is in the folder, which has a flush of its own. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
