import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MemsvcError, messageOf } from "../operation/errors.ts";
import { errorCode } from "../system/error-code.ts";

let loaded: unknown;

/**
 * Loads libsql's native package for a target. It is looked for beside libsql, because package managers that isolate
 * packages put it only there. Its file is tried first, as resolving it by name takes Node 2 ms. Error: unavailable if
 * it is missing or was built for another machine.
 */
export function nativePackage(target: string): unknown {
  const name = `@libsql/${target}`;
  try {
    loaded ??= load(name);
    return loaded;
  } catch (error) {
    // Only the first line: the rest lists where Node looked. If the file does not fit, that line is the loader's
    // reason.
    const [why] = messageOf(error).split("\n");
    throw new MemsvcError("unavailable", `the native part of the store, ${name}, cannot be loaded: ${why}`, {
      hint: wayOut(error),
      cause: error,
    });
  }
}

/**
 * The advice for a native package that cannot be loaded. Reinstalling would not help if Node, or the disk's mount
 * options, forbid native modules.
 */
function wayOut(error: unknown): string {
  if (errorCode(error) === "ERR_DLOPEN_DISABLED")
    return "run it without Node's --no-addons, or let addons be loaded: --allow-addons; look at NODE_OPTIONS";
  if (messageOf(error).includes("failed to map segment"))
    return "where memsvc lies, nothing may be run: install it on a disk that is not mounted noexec";
  return (
    "install memsvc anew on this machine, with the Node that runs it and without leaving out optional packages: " +
    "npm install -g --include=optional memsvc"
  );
}

function load(name: string): unknown {
  const file = fileOf(name, dirname(fileURLToPath(import.meta.url)));
  if (file === undefined) return createRequire(createRequire(import.meta.url).resolve("libsql"))(name);
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}

/** The path of the native file in a package that libsql needs; undefined if only Node can resolve it. */
export function fileOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const libsql = join(folder, "node_modules", "libsql");
    if (existsSync(libsql)) {
      const real = realpathSync.native(libsql);
      const folders = [join(real, "node_modules", name), join(dirname(real), name)];
      return folders.map((place) => join(place, "index.node")).find((file) => existsSync(file));
    }
    if (folder === dirname(folder)) return undefined;
  }
}
