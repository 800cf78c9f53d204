import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { MemsvcError } from "../operation/errors.ts";
import { version } from "../version.ts";

/**
 * Starts a thread of this program. A daemon goes on while its installation is upgraded or removed, and a thread of
 * another version would take what it is asked for something else. Error: unavailable.
 */
export function startThread(file: string, options: WorkerOptions): Worker {
  const found = installed(file);
  if (found === version) return new Worker(file, options);
  const change = found === undefined ? "removed" : `replaced by memsvc ${found}`;
  throw new MemsvcError("unavailable", `the files of this memsvc ${version} were ${change} while it runs`, {
    hint: found === undefined ? "install it again, then: memsvc daemon restart" : "memsvc daemon restart",
  });
}

/** The version whose file it is: it lies in a folder of its package. */
function installed(file: string): string | undefined {
  const packageFile = join(dirname(file), "..", "package.json");
  if (!existsSync(file) || !existsSync(packageFile)) return undefined;
  return (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
}
