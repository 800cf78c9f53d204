import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { MemsvcError } from "../operation/errors.ts";
import { version } from "../version.ts";

/**
 * Starts a worker thread. Checks that the installation is still of the running version: a daemon may outlive an upgrade
 * or removal, and a thread of another version could misread its messages. Error: unavailable.
 */
export function startThread(file: string, options: WorkerOptions): Worker {
  const found = installed(file);
  if (found === version) return new Worker(file, options);
  const change = found === undefined ? "removed" : `replaced by memsvc ${found}`;
  throw new MemsvcError("unavailable", `the files of this memsvc ${version} were ${change} while it runs`, {
    hint: found === undefined ? "install it again, then: memsvc daemon restart" : "memsvc daemon restart",
  });
}

/** The version of the package that contains the file; undefined if it was removed. */
function installed(file: string): string | undefined {
  const packageFile = join(dirname(file), "..", "package.json");
  if (!existsSync(file) || !existsSync(packageFile)) return undefined;
  return (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
}
