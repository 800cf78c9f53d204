import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder, openFolderMode } from "../../paths/make-folder.ts";
import { version } from "../../version.ts";

/*
 * The code caches of bundles: what V8 made of their texts, so that it need not be made at each start. They lie beside
 * the bundles, so whoever can change them can change the program, too. V8 refuses those of another version of its own,
 * of other flags and of a text of another length; a text that was changed otherwise it would not notice.
 */

/** A shorter text is compiled in the time that reading its cache would take. */
const leastLength = 16_000;

/** The folder of the caches for this version and a Node as the one that runs, without flags; below that of the bundles. */
export function codeCacheFolder(bundles: string): string {
  return join(bundles, "code-cache", `${version}-${process.version}-${process.platform}-${process.arch}`);
}

/** The same for the Node that runs: where it was given flags, as by NODE_OPTIONS, caches made without might be refused. */
export function ownCodeCacheFolder(bundles: string): string {
  const folder = codeCacheFolder(bundles);
  if (process.execArgv.length === 0 && !process.env.NODE_OPTIONS) return folder;
  // To load that takes 2 ms; it is V8's own sum of what its caches depend on.
  return `${folder}-${process.getBuiltinModule("node:v8").cachedDataVersionTag()}`;
}

/** Kept, though of no more use: given back, blocks of this size make a daemon take 9 MB more (see readText in bundle-loader.ts). */
const readSoFar: Buffer[] = [];

/** Undefined where there is none, or none for this user. */
export function readCodeCache(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const cache = readFileSync(path);
    readSoFar.push(cache);
    return cache;
  } catch {
    return undefined;
  }
}

/**
 * Leaves a cache for the next start, if the bundle is worth it and its folder is this user's own: what root leaves in
 * somebody's folder, they could not remove.
 */
export function leaveCodeCache(path: string, text: string, make: () => Buffer): void {
  if (text.length < leastLength) return;
  const folder = dirname(path);
  const unfinished = `${path}.${process.pid}`;
  try {
    const { uid } = statSync(join(folder, "..", ".."));
    if (uid !== (process.geteuid?.() ?? uid)) return;
    makeFolder(folder, openFolderMode);
    try {
      // V8 does not see that a part is missing in the middle, as after a failure of power.
      writeFileSync(unfinished, make(), { flush: true });
      renameSync(unfinished, path);
    } finally {
      rmSync(unfinished, { force: true });
    }
  } catch {
    // The disk is full or cannot be written to: each start compiles, and nothing is lost but milliseconds.
  }
}
