import { readFileSync } from "node:fs";

/** One that hangs is not waited for. */
const longestMs = 2_000;

/** The words that a process was started with, where the system shows them at once: on Linux, of those that are ours to read. */
export function shownWords(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // Not Linux, or not ours to read.
    return undefined;
  }
}

/**
 * The same from `ps`, which has them on macOS, too, and parts words at every blank; undefined where it may not run. It takes
 * some milliseconds, and its module is loaded only then.
 */
export function wordsByPs(pid: number): string[] | undefined {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], {
    encoding: "utf8",
    timeout: longestMs,
    windowsHide: true,
  });
  const line = status === 0 ? stdout.trim() : "";
  return line === "" ? undefined : line.split(/\s+/u);
}
