import { constants } from "node:fs";
import { lstat, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isUnfinishedFile, writeWhole } from "../../paths/durable-file.ts";
import { inodeOf } from "../../paths/inode.ts";
import { removeUnfinished } from "../../paths/remove-unfinished.ts";
import { unlessRefused } from "../../paths/system-refusal.ts";
import type { DryRun } from "../../store/store.ts";
import { errorCode } from "../../system/error-code.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { letWrite } from "./folder.ts";
import { type OwnHead, ownHead } from "./front-matter.ts";

/*
 * Notes on the disk. Only files that begin with our head are replaced or removed; what else lies in the folders is
 * somebody's own, and a link is never followed.
 */

const headBytes = 64 * 1024;
/** What is to be done where something of somebody else's has a note's name. */
const wayOut = "move it away, and the next export writes the note";

/** Why a note was, or in a dry run would be, not written; undefined when it is there as it should be. */
export async function writeNote(
  path: string,
  text: string,
  { dryRun = false }: DryRun = {},
): Promise<string | undefined> {
  try {
    const found = await lstat(path).catch(ifMissing);
    if (found !== undefined) {
      if (!found.isFile()) return `is no ordinary file and was left alone; ${wayOut}`;
      const bytes = Buffer.from(text);
      const present = await beginningOf(path, found.size === bytes.byteLength ? found.size : headBytes);
      if (present.equals(bytes)) return undefined;
      if (ownHead(present.toString()) === undefined)
        return `was not written by memsvc and was left alone; ${wayOut}`;
    }
    if (!dryRun) await writeWhole(path, text);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** A note of ours that is in a folder. */
export interface PresentNote extends OwnHead {
  /** Its file's name without the ending. */
  readonly name: string;
}

/** The notes of ours that are in a folder, by name. Error: forbidden for a folder that may not be read. */
export async function* presentNotes(folder: string): AsyncGenerator<PresentNote> {
  // In a dry run a folder need not be there yet.
  const entries = await unlessRefused(folder, letWrite, () =>
    readdir(folder, { withFileTypes: true }).catch((error: unknown) => ifMissing(error) ?? []),
  );
  for (const entry of entries.sort((a, b) => compareTexts(a.name, b.name))) {
    if (!entry.isFile() || !entry.name.endsWith(".md")) continue;
    const head = await headOf(join(folder, entry.name));
    if (head !== undefined) yield { ...head, name: givenName(folder, entry.name).slice(0, -".md".length) };
  }
}

/** The name that we gave a file: some disks of macOS (HFS+) take the letters of names apart, and find them by either. */
function givenName(folder: string, listed: string): string {
  const composed = listed.normalize("NFC");
  if (composed === listed) return listed;
  return inodeOf(join(folder, composed)) === inodeOf(join(folder, listed)) ? composed : listed;
}

/** Undefined also for what may not be read: what is not known to be ours is somebody's own. */
async function headOf(path: string): Promise<OwnHead | undefined> {
  try {
    return ownHead((await beginningOf(path, headBytes)).toString());
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Removes the notes in a folder that a process was killed over; where that is forbidden, they stay. */
export async function removeUnfinishedNotes(folder: string): Promise<void> {
  try {
    await removeUnfinished(folder, (name) => isUnfinishedFile(name) && name.includes(".md."));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** Why a file could not be removed; undefined when it is gone. */
export async function removeNote(path: string, { dryRun = false }: DryRun = {}): Promise<string | undefined> {
  try {
    if (!dryRun) await rm(path, { force: true });
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

async function beginningOf(path: string, mostBytes: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function ifMissing(error: unknown): undefined {
  if (errorCode(error) === "ENOENT") return undefined;
  throw error;
}

/** What the system says, without our code's names. */
function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code !== undefined) return `could not be written (${code})`;
  throw error;
}
