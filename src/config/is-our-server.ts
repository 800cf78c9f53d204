import { basename } from "node:path";
import { shownWords, wordsByPs } from "../system/command-line.ts";
import { imageName } from "../system/image-name.ts";

/**
 * After a crash the process id may have been reused by another program, possibly another memsvc command such as an
 * agent's `memsvc mcp`. Checks the command line where the system shows it at once (/proc), and otherwise assumes it is
 * ours.
 */
export function isOurServer(pid: number): boolean {
  const words = shownWords(pid);
  return words === undefined || areOurServers(words);
}

/**
 * Whether `ps`, or on Windows `tasklist`, shows that the process is another program; asked only where `isOurServer` had
 * to assume.
 */
export function isOtherProgram(pid: number): boolean {
  if (pid === process.pid || shownWords(pid) !== undefined) return false;
  if (process.platform === "win32") return isOtherThanNode(imageName(pid));
  const words = wordsByPs(pid);
  return words !== undefined && !areOurServers(words);
}

/** Windows tells no command line without a start of PowerShell, which takes a second. */
function isOtherThanNode(image: string | undefined): boolean {
  return image !== undefined && image.toLowerCase() !== basename(process.execPath).toLowerCase();
}

function areOurServers(words: readonly string[]): boolean {
  return words.includes("serve") && words.some((word) => /memsvc|main\.cjs/u.test(word));
}
