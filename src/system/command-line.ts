import { readFileSync } from "node:fs";

/** How long `ps` may take. */
const longestMs = 2_000;

/**
 * The command line of a process, if the system shows it at once: from /proc on Linux, for processes that we may read.
 */
export function shownWords(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // Not Linux, or not readable for us.
    return undefined;
  }
}

/**
 * The command line of a process from `ps`, which also works on macOS, split at every blank; undefined if `ps` fails.
 * Takes some milliseconds; the module for starting it is loaded only then.
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
