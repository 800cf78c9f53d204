import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../paths/make-folder.ts";
import { errorCode } from "../../system/error-code.ts";

/** The output of a daemon while it starts, kept until its starter has finished waiting. */
export interface StartupOutput {
  /** Calls `work` with a file descriptor for the output, or "ignore". */
  into<T>(work: (output: number | "ignore") => T): T;
  text(): string;
  remove(): void;
}

/**
 * Opens a file for the output. If it can be created neither in the temporary folder nor in the home, the output is
 * discarded: a daemon cannot start in such a home anyway, and that is the reason that is reported.
 */
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

/**
 * Tells from now on whether the file behind a descriptor was removed, as the startup output is once its starter has
 * finished waiting. What is written there nobody can read, and its space is used until this process ends. A file that
 * has no name to begin with is somebody's who reads it by a descriptor of their own.
 */
export function watchRemoval(descriptor: number): () => boolean {
  const wasNamed = fstatSync(descriptor).nlink > 0;
  return () => wasNamed && fstatSync(descriptor).nlink === 0;
}

/**
 * Creates a temporary folder, in the home if TMPDIR does not work: sessions may leave a TMPDIR that was deleted,
 * sandboxes one that is read-only.
 */
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

/**
 * On Windows a file that the daemon writes to cannot be deleted while it is running. That must not make the start look
 * failed.
 */
function removeUnlessOpen(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (!["ENOTEMPTY", "EBUSY", "EPERM"].includes(errorCode(error) ?? "")) throw error;
  }
}
