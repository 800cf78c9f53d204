import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

/*
 * Loads the program's bundles with the code caches that the build made after it had run them: what a command runs
 * is then neither parsed nor compiled again. V8 itself refuses a cache of another version or other flags, and
 * compiles as usual. The caches lie beside the bundles, so whoever can change them can change the program, too.
 */

export interface Bundles {
  /** What a bundle exports, such as `program`. */
  load(name: string): unknown;
  /** The bundles that were loaded so far, compiled. */
  readonly scripts: ReadonlyMap<string, Script>;
}

/** What Node puts around a module. */
const wrapper = ["(function (exports, require, module, __filename, __dirname) { ", "\n})"] as const;

/** The folder of the caches for the Node that runs, below that of the bundles. */
export function codeCacheFolder(folder: string): string {
  return join(folder, "code-cache", `${process.version}-${process.platform}-${process.arch}`);
}

/** Opens the bundles of a folder; without caches for this Node they are loaded as any module. */
export function openBundles(folder: string, caches: "used" | "made"): Bundles {
  const require = createRequire(join(folder, "main.cjs"));
  const scripts = new Map<string, Script>();
  const cacheFolder = codeCacheFolder(folder);
  if (caches === "used" && !existsSync(cacheFolder)) {
    return { scripts, load: (name) => require(`./${name}.cjs`) };
  }
  const loaded = new Map<string, { exports: unknown }>();
  const load = (file: string): unknown => {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const path = join(folder, file);
    const cache = join(cacheFolder, file);
    const script = new Script(wrapper.join(readFileSync(path, "utf8")), {
      filename: path,
      columnOffset: -wrapper[0].length,
      ...(caches === "used" && existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
    });
    scripts.set(file, script);
    script.runInThisContext().call(module.exports, module.exports, requireOf, module, path, folder);
    return module.exports;
  };
  const requireOf = Object.assign(
    (id: string): unknown => (id.startsWith("./") ? load(id.slice(2)) : require(id)),
    { resolve: require.resolve },
  );
  return { scripts, load: (name) => load(`${name}.cjs`) };
}
