import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

let written = 0;

/**
 * Writes a file so that after a crash there is either the whole of it or what was there before: under another name
 * first, flushed to the disk, then renamed.
 */
export async function writeDurably(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  written += 1;
  const temporary = `${path}.${process.pid}-${written}.tmp`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(content);
      // Whatever the process masks of the modes of new files.
      await file.chmod(mode);
      await file.sync();
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
  await flushFolder(dirname(path));
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
