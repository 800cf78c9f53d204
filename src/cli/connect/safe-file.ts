import { existsSync, lstatSync, readFileSync, type Stats } from "node:fs";
import { chown, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MemsvcError } from "../../operation/errors.ts";
import { writeDurably } from "../../paths/durable-file.ts";
import { isInside } from "../../paths/is-inside.ts";
import { makeFolder, openFolderMode } from "../../paths/make-folder.ts";
import { realPathIfExists } from "../../paths/real-path-if-exists.ts";
import { removeUnfinishedOf } from "../../paths/remove-unfinished.ts";
import { utf8Text } from "../../text/utf8-text.ts";

/** A settings file as it is on disk. */
export interface FoundFile {
  /** The real path, with links followed. */
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly bytes: Buffer | undefined;
  readonly text: string | undefined;
  readonly stats: Stats | undefined;
}

/**
 * Reads a settings file. A symbolic link must lead to a file below `root`, so that nobody's link makes this program
 * write elsewhere. Errors: forbidden; invalid_input if it is not a text file.
 */
export function readSettings(named: string, root: string): FoundFile {
  const path = realPathOf(named);
  if (!isInside(path, realPathOf(root))) {
    throw new MemsvcError("forbidden", `${named} leads to ${path}, outside of ${root}`, {
      hint: "edit that file yourself, or replace the link with a plain file",
    });
  }
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { path, bytes: undefined, text: undefined, stats };
  if (!stats.isFile()) throw new MemsvcError("invalid_input", `${named} is not a file`);
  const bytes = readFileSync(path);
  return { path, bytes, text: utf8Text(bytes, named), stats };
}

/** Follows links, as far as the path exists. Error: forbidden for a dangling link. */
function realPathOf(path: string): string {
  const real = realPathIfExists(path);
  if (real !== undefined) return real;
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path)
    throw new MemsvcError("forbidden", `${path} is a broken link`);
  return join(realPathOf(dirname(path)), path.slice(dirname(path).length).replace(/^[\\/]/u, ""));
}

/** Writes a file atomically, keeping its mode and owner, and makes its folders. Returns the folders it made. */
export async function writeSettings(
  { path, stats }: FoundFile,
  content: string | Uint8Array,
  newMode: number,
): Promise<string[]> {
  const made = missingFolders(path);
  makeFolder(dirname(path), openFolderMode);
  await removeUnfinishedOf(path);
  await writeDurably(path, content, stats === undefined ? newMode : stats.mode & 0o7777);
  if (stats !== undefined && process.getuid?.() !== stats.uid && process.getuid !== undefined)
    await chown(path, stats.uid, stats.gid);
  return made;
}

/** The missing folders of a file, innermost first. */
export function missingFolders(path: string): string[] {
  const folder = dirname(path);
  return existsSync(folder) ? [] : [folder, ...missingFolders(folder)];
}

/** Removes folders that are empty, innermost first. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    try {
      await rmdir(folder);
    } catch {
      // Not empty, or gone already.
      return;
    }
  }
}
