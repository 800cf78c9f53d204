import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../paths/make-folder.ts";
import { errorCode } from "../../system/error-code.ts";

/** What a daemon says while it starts, kept as long as somebody waits for it. */
export interface StartupOutput {
  /** Has the work done with what takes the output of a process. */
  into<T>(work: (output: number | "ignore") => T): T;
  text(): string;
  remove(): void;
}

/** Nobody hears them where they can be kept nowhere: no daemon starts on a home that cannot be written to, and this is why. */
export function openStartupOutput(home: string): StartupOutput {
  const folder = scratchFolder(home);
  if (folder === undefined)
    return {
      into: (work) => work("ignore"),
      text: () => `neither ${home} nor a folder for temporary files can be written to`,
      remove: () => undefined,
    };
  const file = join(folder, "said.txt");
  return {
    into: (work) => {
      const output = openSync(file, "w", 0o600);
      try {
        return work(output);
      } finally {
        closeSync(output);
      }
    },
    text: () => readFileSync(file, "utf8").trim(),
    remove: () => removeUnlessOpen(folder),
  };
}

/** Sessions leave a TMPDIR that is gone, sandboxes one that is read-only; where the daemon lives is room for it, too. */
function scratchFolder(home: string): string | undefined {
  const inPlace = (place: string) => mkdtempSync(join(place, "memsvc-start-"));
  try {
    return inPlace(tmpdir());
  } catch {
    try {
      makeFolder(home);
      return inPlace(home);
    } catch {
      return undefined;
    }
  }
}

/** Windows keeps a file that the daemon speaks into, and its folder, as long as that runs: no reason to say that it did not start. */
function removeUnlessOpen(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (!["ENOTEMPTY", "EBUSY", "EPERM"].includes(errorCode(error) ?? "")) throw error;
  }
}
