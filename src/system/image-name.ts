import { windowsProgram } from "./windows-program.ts";

/** How long the question may take. */
const longestMs = 2_000;

/** The file name of the program that a process on Windows runs, such as `node.exe`; undefined if it is not told. */
export function imageName(pid: number): string | undefined {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync(windowsProgram("tasklist"), ["/fi", `PID eq ${pid}`, "/fo", "csv", "/nh"], {
    encoding: "utf8",
    timeout: longestMs,
    windowsHide: true,
  });
  // For an unknown process a sentence is printed instead.
  return /^\s*"([^"]+)","\d+"/u.exec(stdout ?? "")?.[1];
}
