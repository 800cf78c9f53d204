import { constants } from "node:fs";
import { lstat, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isUnfinishedFile, writeWhole } from "../../paths/durable-file.ts";
import { inodeOf } from "../../paths/inode.ts";
import { removeUnfinished } from "../../paths/remove-unfinished.ts";
import { unlessRefused } from "../../paths/system-refusal.ts";
import type { DryRun } from "../../store/store.ts";
import { errorCode, isMissing } from "../../system/error-code.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { writeAccessHint } from "./folder.ts";
import { type OwnHead, ownHead } from "./front-matter.ts";

/*
 * Notes on the disk. Only files that begin with our front matter are replaced or removed; all other files in
 * the folders belong to somebody else. Links are never followed.
 */

const headBytes = 64 * 1024;
/** The hint for a file of somebody else that has the name of a note. */
const wayOut = "move it away, and the next export writes the note";

/**
 * The reason why a note was not written, or in a dry run would not be; undefined when the note is up to date.
 */
export async function writeNote(
  path: string,
  text: string,
  { dryRun = false }: DryRun,
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

/** A note that memsvc wrote before. */
export interface PresentNote extends OwnHead {
  /** The file name without `.md`. */
  readonly name: string;
}

/**
 * The notes in a folder that memsvc wrote, ordered by name. Error: forbidden for a folder that may not be
 * read.
 */
export async function* presentNotes(folder: string): AsyncGenerator<PresentNote> {
  // In a dry run the folder may not exist yet.
  const entries = await unlessRefused(folder, writeAccessHint, () =>
    readdir(folder, { withFileTypes: true }).catch((error: unknown) => ifMissing(error) ?? []),
  );
  for (const entry of entries.sort((a, b) => compareTexts(a.name, b.name))) {
    if (!entry.isFile() || !entry.name.endsWith(".md")) continue;
    const head = await headOf(join(folder, entry.name));
    if (head !== undefined) yield { ...head, name: givenName(folder, entry.name).slice(0, -".md".length) };
  }
}

/**
 * The name under which we wrote a file: HFS+ on macOS lists names in decomposed form (NFD), and finds a file
 * by either form.
 */
function givenName(folder: string, listed: string): string {
  const composed = listed.normalize("NFC");
  if (composed === listed) return listed;
  return inodeOf(join(folder, composed)) === inodeOf(join(folder, listed)) ? composed : listed;
}

/**
 * Undefined also for a file that cannot be read: unless a file is known to be ours, it counts as somebody
 * else's.
 */
async function headOf(path: string): Promise<OwnHead | undefined> {
  try {
    return ownHead((await beginningOf(path, headBytes)).toString());
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Removes half-written notes that a killed process left behind; if the folder forbids it, they stay. */
export async function removeUnfinishedNotes(folder: string): Promise<void> {
  try {
    await removeUnfinished(folder, (name) => isUnfinishedFile(name) && name.includes(".md."));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** The reason why a file could not be removed; undefined when it is gone. */
export async function removeNote(path: string, { dryRun = false }: DryRun): Promise<string | undefined> {
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
  if (isMissing(error)) return undefined;
  throw error;
}

/** The system's error code as text; other errors are thrown. */
function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code !== undefined) return `could not be written (${code})`;
  throw error;
}
