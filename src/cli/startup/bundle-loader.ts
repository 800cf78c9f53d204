import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { keptBlocks, leaveCodeCache, readCodeCache } from "./code-cache.ts";

/*
 * Loads the program's bundles with V8 code caches, so that their code need not be parsed and compiled again. The build
 * makes caches for frequent commands and the daemon by running them. If there is no cache (another Node version than
 * the build's, or Node flags), the bundle is compiled as usual, and a cache of what the command compiled is written.
 */

interface Bundles {
  /** The exports of a bundle, such as `program`. */
  load(name: string): unknown;
  /** Writes the caches that were missing. Called at the end, they contain the functions that were run. */
  leaveCaches(): void;
  /** The compiled scripts of all bundles loaded so far. */
  readonly scripts: ReadonlyMap<string, Script>;
}

/** The function that Node wraps around CommonJS modules. */
const wrapper = ["(function (exports, require, module, __filename, __dirname) { ", "\n})"] as const;

/** All bundles but the daemon's are smaller. */
const mostWholeBytes = 2 * 1024 * 1024;
/** Smaller than the blocks that malloc takes from the system one by one (mmap threshold). */
const pieceBytes = 64 * 1024;

/**
 * The bundle as a function's text. It is read into one block, without copies as strings: these would fill V8's young
 * generation, which is collected when it holds 0.8 MB, and a hook alone needs nearly as much.
 */
function readText(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    return size <= mostWholeBytes ? readWhole(file, size) : readInPieces(file);
  } finally {
    closeSync(file);
  }
}

function readWhole(file: number, size: number): string {
  const [before, after] = wrapper;
  const text = Buffer.allocUnsafe(before.length + size + after.length);
  let end = text.write(before);
  for (let length = 1; length > 0; end += length)
    length = readSync(file, text, end, text.length - after.length - end, null);
  end += text.write(after, end);
  keptBlocks.push(text);
  return text.toString("utf8", 0, end);
}

/**
 * Reads a large text in pieces. If a block of megabytes were freed, glibc's malloc would raise its thresholds, and each
 * thread of a daemon would keep that much memory.
 */
function readInPieces(file: number): string {
  // Not TextDecoder, whose strings take two bytes per character. Loaded late, because few need it.
  const { StringDecoder } = process.getBuiltinModule("node:string_decoder");
  const [decoder, piece] = [new StringDecoder("utf8"), Buffer.allocUnsafe(pieceBytes)];
  let text: string = wrapper[0];
  for (let length = 1; length > 0; ) {
    length = readSync(file, piece);
    text += decoder.write(piece.subarray(0, length));
  }
  return text + wrapper[1];
}

/**
 * Defers loading: bundles require each other, and modules of Node's, at their beginning, but one command uses few of
 * them.
 */
function loadedWhenUsed(load: () => object): object {
  return new Proxy(
    {},
    {
      get: (_, name) => Reflect.get(load(), name),
      has: (_, name) => Reflect.has(load(), name),
      ownKeys: () => Reflect.ownKeys(load()),
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(load(), name);
        // A proxy may report a non-configurable property only if its target, which is empty here, has it.
        return found === undefined ? undefined : { ...found, configurable: true };
      },
    },
  );
}

/** Node has loaded these anyway, and they are used often. */
const loadedAnyway = new Set(["node:fs", "node:path"]);

/**
 * Opens the bundles of a folder; without a cache folder no caches are read or written. A module in that folder gives
 * its own `require`, because the module that makes one takes half a millisecond to load.
 */
export function openBundles(folder: string, cacheFolder?: string, require = requireIn(folder)): Bundles {
  const scripts = new Map<string, Script>();
  const missing: (() => void)[] = [];
  const loaded = new Map<string, { exports: object }>();
  const load = (file: string): object => {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const path = join(folder, file);
    const cache = cacheFolder === undefined ? undefined : join(cacheFolder, file);
    const text = readText(path);
    const cachedData = cache === undefined ? undefined : readCodeCache(cache);
    const script = new Script(text, {
      // The name in stack traces. A cache keeps the name with which it was made, so it must not name the folder.
      filename: `memsvc/dist/${file}`,
      columnOffset: -wrapper[0].length,
      ...(cachedData && { cachedData }),
    });
    scripts.set(file, script);
    script.runInThisContext().call(module.exports, module.exports, requireOf, module, path, folder);
    if (cache !== undefined && cachedData === undefined)
      missing.push(() => leaveCodeCache(cache, text, () => script.createCachedData()));
    return module.exports;
  };
  const requireOf = Object.assign(
    (id: string): unknown => {
      if (id.startsWith("node:") && !loadedAnyway.has(id)) return loadedWhenUsed(() => require(id));
      if (!id.startsWith("./")) return require(id);
      const file = id.slice(2);
      return loaded.get(file)?.exports ?? loadedWhenUsed(() => load(file));
    },
    { resolve: require.resolve },
  );
  return {
    scripts,
    load: (name) => load(`${name}.cjs`),
    leaveCaches: () => {
      for (const leave of missing.splice(0)) leave();
    },
  };
}

function requireIn(folder: string): NodeJS.Require {
  return process.getBuiltinModule("node:module").createRequire(join(folder, "main.cjs"));
}
