/** How long `ps` may take. */
const longestMs = 2_000;

/**
 * What `ps` says of a process, which also works on macOS; undefined if it fails, and on Windows, which has none. Takes
 * some milliseconds; the module for starting it is loaded only then.
 */
export function askPs(column: "command" | "stat", pid: number): string | undefined {
  if (process.platform === "win32") return undefined;
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("ps", ["-ww", "-o", `${column}=`, "-p", String(pid)], {
    encoding: "utf8",
    timeout: longestMs,
  });
  const line = status === 0 ? stdout.trim() : "";
  return line === "" ? undefined : line;
}
