import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../system/error-code.ts";
import { fsyncFolder } from "./fsync.ts";
import { renameOver, renameOverSync } from "./rename-over.ts";
import { statIfExists } from "./stat-if-exists.ts";

/**
 * Counter for the names of unfinished files. Starts at the time, so that a process does not reuse a name of an earlier
 * one with the same id that was killed while writing.
 */
let written = Date.now();

const unfinishedName = /\.memsvc-(\d+)-\d+\.tmp$/u;

/**
 * Writes a file atomically: after a crash it has either its old contents or all of the new ones. Writes to a temporary
 * name, flushes to disk, then renames.
 */
export async function writeDurably(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  await replaceFile(path, content, { mode, isFlushed: true });
  await fsyncFolder(dirname(path));
}

/**
 * Like writeDurably, for a file that other programs write too: `isMeant` decides immediately before the rename whether
 * to replace it. Returns whether it was replaced.
 */
export async function replaceIf(
  path: string,
  content: string | Uint8Array,
  { mode, isMeant }: { readonly mode: number; readonly isMeant: () => boolean },
): Promise<boolean> {
  const temporary = await writeBeside(path, content, { mode, isFlushed: true });
  try {
    if (!isMeant()) {
      await rm(temporary, { force: true });
      return false;
    }
    renameOverSync(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw naming(error, path);
  }
  await fsyncFolder(dirname(path));
  return true;
}

/**
 * Writes a file that can be recreated at any time, so that no other program ever sees a part of it: like writeDurably,
 * without flushing.
 */
export function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  return replaceFile(path, content, { mode: 0o600, isFlushed: false });
}

/**
 * Like writeDurably, but keeps the old contents under another name, which `keptPath` chooses immediately before the
 * renames. Returns that name.
 */
export async function replaceKeeping(
  path: string,
  texts: { readonly kept: string; readonly next: string },
  { mode, keptPath }: { readonly mode: number; readonly keptPath: () => string },
): Promise<string> {
  const options = { mode, isFlushed: true };
  const kept = await writeBeside(path, texts.kept, options);
  let next: string | undefined;
  let keptAs: string | undefined;
  try {
    next = await writeBeside(path, texts.next, options);
    // The two renames follow each other at once: the kept copy implies that the file was replaced.
    const name = keptPath();
    renameOverSync(kept, name);
    keptAs = name;
    renameOverSync(next, path);
  } catch (error) {
    for (const left of [kept, next, keptAs]) if (left !== undefined) await rm(left, { force: true });
    throw naming(error, path);
  }
  await fsyncFolder(dirname(path));
  return keptAs;
}

/** Whether a name is that of an unfinished file of these functions; no other program gives such names. */
export function isUnfinishedFile(name: string): boolean {
  return unfinishedName.test(name);
}

/** The id of the process that writes an unfinished file; NaN for any other name. */
export function unfinishedFilePid(name: string): number {
  return Number(unfinishedName.exec(name)?.[1] ?? Number.NaN);
}

async function replaceFile(path: string, content: string | Uint8Array, options: NewFile): Promise<void> {
  const temporary = await writeBeside(path, content, options);
  try {
    await renameOver(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw naming(error, path);
  }
}

interface NewFile {
  readonly mode: number;
  readonly isFlushed: boolean;
}

/**
 * Writes the contents to a temporary name beside the path, and returns that name; leaves nothing behind if it fails.
 */
async function writeBeside(
  path: string,
  content: string | Uint8Array,
  { mode, isFlushed }: NewFile,
): Promise<string> {
  written += 1;
  const temporary = `${path}.memsvc-${process.pid}-${written}.tmp`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(content);
      // Explicitly, because the mode given at creation is reduced by the umask.
      await file.chmod(mode);
      await giveToOwner(file, path);
      if (isFlushed) await file.sync();
    } finally {
      await file.close();
    }
    return temporary;
  } catch (error) {
    await rm(temporary, { force: true });
    throw naming(error, path);
  }
}

/**
 * If root writes among another user's files (sudo that keeps HOME, or a container), the file is given to that user:
 * otherwise one such command would lock the user out.
 */
async function giveToOwner(file: FileHandle, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statIfExists(path) ?? (await stat(dirname(path)));
  if (uid === 0) return;
  try {
    await file.chown(uid, gid);
  } catch (error) {
    // Some containers forbid chown: the file is written all the same.
    if (errorCode(error) !== "EPERM") throw error;
  }
}

/** Sets the error's path to the one the caller knows: some system errors name no file, or the temporary one. */
function naming(error: unknown, path: string): unknown {
  return error instanceof Error && "code" in error ? Object.assign(error, { path }) : error;
}
