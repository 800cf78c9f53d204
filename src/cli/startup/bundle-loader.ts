import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { leaveCodeCache, readCodeCache } from "./code-cache.ts";

/*
 * Loads the program's bundles with their code caches: what a command runs is then neither parsed nor compiled again.
 * Those of the usual commands and of the daemon were made by the build after it had run them. Where one is missing, as
 * for a Node of another version than the build's or with flags, the bundle is compiled as any module and leaves one.
 */

export interface Bundles {
  /** What a bundle exports, such as `program`. */
  load(name: string): unknown;
  /** The bundles that were loaded so far, compiled. */
  readonly scripts: ReadonlyMap<string, Script>;
}

/** What Node puts around a module. */
const wrapper = ["(function (exports, require, module, __filename, __dirname) { ", "\n})"] as const;

/** Below the size of blocks that malloc has the system give and take one by one. */
const pieceBytes = 64 * 1024;

/**
 * Reads a large text in pieces. Given back as one block, a bundle of megabytes would make glibc's malloc expect more blocks
 * of that size, and each thread of a daemon would keep as much for them.
 */
function readText(path: string): string {
  if (statSync(path).size <= pieceBytes) return readFileSync(path, "utf8");
  const file = openSync(path, "r");
  try {
    // Not a TextDecoder, whose texts take two bytes for each character; loaded for those alone who need it.
    const { StringDecoder } = process.getBuiltinModule("node:string_decoder");
    const [decoder, piece] = [new StringDecoder("utf8"), Buffer.allocUnsafe(pieceBytes)];
    let text = "";
    for (let length = 1; length > 0; ) {
      length = readSync(file, piece);
      text += decoder.write(piece.subarray(0, length));
    }
    return text;
  } finally {
    closeSync(file);
  }
}

/** Bundles name each other at their beginning, and most of what they name is not used by one command. */
function loadedWhenUsed(load: () => object): object {
  return new Proxy(
    {},
    {
      get: (_, name) => Reflect.get(load(), name),
      has: (_, name) => Reflect.has(load(), name),
      ownKeys: () => Reflect.ownKeys(load()),
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(load(), name);
        // A proxy may tell only what its own object, which is empty, could have.
        return found === undefined ? undefined : { ...found, configurable: true };
      },
    },
  );
}

/** Opens the bundles of a folder; without a folder of caches none is read or left. */
export function openBundles(folder: string, cacheFolder?: string): Bundles {
  const require = createRequire(join(folder, "main.cjs"));
  const scripts = new Map<string, Script>();
  const loaded = new Map<string, { exports: object }>();
  const load = (file: string): object => {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const path = join(folder, file);
    const cache = cacheFolder === undefined ? undefined : join(cacheFolder, file);
    const text = wrapper.join(readText(path));
    const cachedData = cache === undefined ? undefined : readCodeCache(cache);
    const script = new Script(text, {
      // In stacks; a cache brings the name that it was made with.
      filename: `memsvc/dist/${file}`,
      columnOffset: -wrapper[0].length,
      ...(cachedData && { cachedData }),
    });
    scripts.set(file, script);
    script.runInThisContext().call(module.exports, module.exports, requireOf, module, path, folder);
    if (cache !== undefined && cachedData === undefined)
      leaveCodeCache(cache, text, () => script.createCachedData());
    return module.exports;
  };
  const requireOf = Object.assign(
    (id: string): unknown => {
      if (!id.startsWith("./")) return require(id);
      const file = id.slice(2);
      return loaded.get(file)?.exports ?? loadedWhenUsed(() => load(file));
    },
    { resolve: require.resolve },
  );
  return { scripts, load: (name) => load(`${name}.cjs`) };
}
