import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../paths/durable-file.ts";
import { makeFolder } from "../../paths/make-folder.ts";
import { removeUnfinishedOf } from "../../paths/remove-unfinished.ts";
import { sha256 } from "../../system/sha256.ts";

/*
 * Remembers what was written into agents' settings. The home has one folder per file: `receipt.json`, the file as
 * `memsvc disconnect` will restore it (`original`), and a copy from before the last write (`backup`). Settings may
 * contain keys, so only the owner may read them.
 */

interface Receipt {
  readonly agent: string;
  /** The settings file. */
  readonly path: string;
  /** False if the file did not exist before. */
  readonly hadFile: boolean;
  /** SHA-256 of what was written; if the file differs, it was edited since. */
  readonly written: string;
  /** Folders that were created for it, innermost first. */
  readonly madeFolders: readonly string[];
}

export interface KeptReceipt extends Receipt {
  readonly original: Buffer | undefined;
}

/** The files in a receipt's folder. The receipt is written last, so an existing one is complete. */
const keptNames = ["backup", "original", "receipt.json"] as const;

function folderOf(home: string, path: string): string {
  return join(home, "connections", sha256(path).slice(0, 16));
}

export function readReceipt(home: string, path: string): KeptReceipt | undefined {
  const folder = folderOf(home, path);
  try {
    const receipt = JSON.parse(readFileSync(join(folder, "receipt.json"), "utf8")) as Receipt;
    return { ...receipt, original: receipt.hadFile ? readFileSync(join(folder, "original")) : undefined };
  } catch {
    // No receipt, or one that a crash left incomplete: then our entries are looked for in the file itself.
    return undefined;
  }
}

/** Copies a file that is about to be written; returns the path of the copy. */
export async function keepBackup(home: string, path: string, bytes: Uint8Array): Promise<string> {
  const folder = folderOf(home, path);
  makeFolder(folder);
  for (const name of keptNames) await removeUnfinishedOf(join(folder, name));
  const backup = join(folder, "backup");
  await writeDurably(backup, bytes);
  return backup;
}

/** Remembers what was written. */
export async function keepReceipt(
  home: string,
  receipt: Receipt,
  original: string | Uint8Array | undefined,
): Promise<void> {
  const folder = folderOf(home, receipt.path);
  makeFolder(folder);
  if (original !== undefined) await writeDurably(join(folder, "original"), original);
  await writeDurably(join(folder, "receipt.json"), `${JSON.stringify(receipt, null, 2)}\n`);
}

/** Reads what is remembered about a file; returns a function that restores it. */
export function receiptState(home: string, path: string): () => Promise<void> {
  const folder = folderOf(home, path);
  const files = keptNames
    .map((name) => join(folder, name))
    .flatMap((file) => (existsSync(file) ? [{ file, bytes: readFileSync(file) }] : []));
  return async () => {
    await rm(folder, { recursive: true, force: true });
    if (files.length > 0) makeFolder(folder);
    for (const { file, bytes } of files) await writeDurably(file, bytes);
  };
}

/** Forgets a file. `keepsBackup`: the file was edited and could not be restored exactly, so its backup stays. */
export async function dropReceipt(home: string, path: string, keepsBackup: boolean): Promise<void> {
  const folder = folderOf(home, path);
  if (!keepsBackup) return rm(folder, { recursive: true, force: true });
  await rm(join(folder, "receipt.json"), { force: true });
  await rm(join(folder, "original"), { force: true });
}
