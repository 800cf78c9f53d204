import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { MemsvcError } from "../operation/errors.ts";
import { errorCode } from "../system/error-code.ts";

/** What an open store takes: three files for each of its connections, and what the native module's threads wait on. */
const needed = 16;

/**
 * Fails where too few more files may be opened for a store: the native module would say so in words of its own, or end the
 * process. Error: unavailable.
 */
export function requireFreeDescriptors(path: string): void {
  const taken: number[] = [];
  try {
    while (taken.length < needed) taken.push(openSync(devNull, "r"));
  } catch (error) {
    const code = errorCode(error);
    if (code !== "EMFILE" && code !== "ENFILE") return;
    throw new MemsvcError("unavailable", `too many files are open to open ${path}`, {
      hint: "raise the limit: ulimit -n",
      cause: error,
    });
  } finally {
    for (const one of taken) closeSync(one);
  }
}
