import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder, openFolderMode } from "../../paths/make-folder.ts";
import { version } from "../../version.ts";

/*
 * V8 code caches of bundles, which save compilation at each start. They are stored beside the bundles, so whoever can
 * change them can change the program too. V8 rejects caches from another V8 version, with other flags, or for a text of
 * another length; it would not notice another text of the same length.
 */

/** Compiling a shorter text takes no longer than reading its cache. */
const leastLength = 16_000;

/** The cache folder for this version of memsvc and of Node without flags; inside the bundles' folder. */
export function codeCacheFolder(bundles: string): string {
  return join(bundles, "code-cache", `${version}-${process.version}-${process.platform}-${process.arch}`);
}

/**
 * The cache folder for the running Node. With flags, for example from NODE_OPTIONS, it is a separate one, because
 * caches made without them might be rejected.
 */
export function ownCodeCacheFolder(bundles: string): string {
  const folder = codeCacheFolder(bundles);
  if (process.execArgv.length === 0 && !process.env.NODE_OPTIONS) return folder;
  // V8's checksum of everything on which its caches depend. Loading the module takes 2 ms.
  return `${folder}-${process.getBuiltinModule("node:v8").cachedDataVersionTag()}`;
}

/**
 * Never freed on purpose: freeing blocks of this size would make a daemon take 9 MB more (see readInPieces in
 * bundle-loader.ts).
 */
export const keptBlocks: Buffer[] = [];

/** Undefined if there is none, or none that this user may read. */
export function readCodeCache(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const cache = readFileSync(path);
    keptBlocks.push(cache);
    return cache;
  } catch {
    return undefined;
  }
}

/**
 * Writes a cache for the next start, if the bundle is large enough and the folder belongs to this user: files that root
 * leaves in somebody's folder could not be removed by them.
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
      // Flushed, because V8 would not notice a hole in the file, as a power failure may leave.
      writeFileSync(unfinished, make(), { flush: true });
      renameSync(unfinished, path);
    } finally {
      rmSync(unfinished, { force: true });
    }
  } catch {
    // The disk is full or read-only: each start compiles, which only costs milliseconds.
  }
}
