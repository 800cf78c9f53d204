import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { MemsvcError } from "../operation/errors.ts";
import { errorCode } from "../system/error-code.ts";

/**
 * File descriptors that an open store needs: three for each of its connections, and some for the native module's
 * threads.
 */
const needed = 16;

/**
 * Fails if too few file descriptors are left to open a store: the native module would fail with an unclear message, or
 * end the process. Error: unavailable.
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
