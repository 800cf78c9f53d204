import { renameSync } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../system/error-code.ts";
import { fsyncFolder } from "./fsync.ts";
import { renameOver, renameOverSync } from "./rename-over.ts";
import { statIfExists } from "./stat-if-exists.ts";

/** Begins anew with each process, at a number that an earlier one of the same id, killed at its work, has not used. */
let written = Date.now();

const unfinishedName = /\.memsvc-(\d+)-\d+\.tmp$/u;

/**
 * Writes a file so that after a crash there is either the whole of it or what was there before: under another name
 * first, flushed to the disk, then renamed.
 */
export async function writeDurably(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  await replaceFile(path, content, { mode, isFlushed: true });
  await fsyncFolder(dirname(path));
}

/**
 * The same for a file that others write too: it is replaced if `isMeant` says so at the last moment, when all but its name
 * is done. Returns whether it was.
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
 * Writes a file that can be made again at any time, so that no other program ever sees half of it: under another name
 * first, then renamed.
 */
export function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  return replaceFile(path, content, { mode: 0o600, isFlushed: false });
}

/**
 * The same as `writeDurably` for a file of which what was in it is kept under another name, which `keptPath` chooses at the
 * last moment. Returns that name.
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
    // At once: what is kept says that the other has taken its place.
    const name = keptPath();
    renameSync(kept, name);
    keptAs = name;
    renameOverSync(next, path);
  } catch (error) {
    for (const left of [kept, next, keptAs]) if (left !== undefined) await rm(left, { force: true });
    throw naming(error, path);
  }
  await fsyncFolder(dirname(path));
  return keptAs;
}

/** Whether a name is that of a file which was being written so, and has not got its own name yet: nobody else gives such names. */
export function isUnfinishedFile(name: string): boolean {
  return unfinishedName.test(name);
}

/** The number of the process that gave such a name; NaN for another name. */
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

/** Writes what is to get a path's name, under another one that it returns; nothing is left when it fails. */
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
      // Whatever the process masks of the modes of new files.
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
 * What root writes among another user's files, as with a sudo that keeps HOME, or in a container, belongs to that user as
 * before: otherwise one such command would lock them out.
 */
async function giveToOwner(file: FileHandle, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statIfExists(path) ?? (await stat(dirname(path)));
  if (uid === 0) return;
  try {
    await file.chown(uid, gid);
  } catch (error) {
    // As in a container that may not: written it is.
    if (errorCode(error) !== "EPERM") throw error;
  }
}

/** Of the system's faults some name no file, and others name one that nobody knows. */
function naming(error: unknown, path: string): unknown {
  return error instanceof Error && "code" in error ? Object.assign(error, { path }) : error;
}
