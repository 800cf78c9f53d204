import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MemsvcError, messageOf } from "../operation/errors.ts";
import { errorCode } from "../system/error-code.ts";

let loaded: unknown;

/**
 * libsql's native package of that target. It is looked for where libsql lies: package managers that keep packages
 * apart put it there and nowhere else. Its file is tried first, because to ask Node for it by its name takes 2 ms. Error:
 * unavailable where it is missing, or is made for another machine.
 */
export function nativePackage(target: string): unknown {
  const name = `@libsql/${target}`;
  try {
    loaded ??= load(name);
    return loaded;
  } catch (error) {
    // What Node has to say of where it looked is no help; of a file that does not fit, the loader tells why.
    const [why] = messageOf(error).split("\n");
    throw new MemsvcError("unavailable", `the native part of the store, ${name}, cannot be loaded: ${why}`, {
      hint: wayOut(error),
      cause: error,
    });
  }
}

/** Anew it would be installed to no avail where Node, or the disk that it lies on, lets nothing of its kind run. */
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

/** Where a package that libsql needs has its native file; undefined where only Node can tell. */
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
