import { errorCode } from "../../system/error-code.ts";

/* Explains system errors in words. The fast path of the command line loads it, so it imports next to nothing. */

interface SystemErrorDescription {
  readonly problem: string;
  readonly hint: string;
}

/** For each error code, what it means for a path, and what to do. */
const faults: Readonly<Record<string, readonly [problem: (place: string) => string, hint: string]>> = {
  ENOSPC: [(place) => `no space is left to write ${place}`, "free some disk space, then try again"],
  EDQUOT: [(place) => `your quota leaves no space to write ${place}`, "free some space, then try again"],
  EFBIG: [
    (place) => `${place} would be larger than the disk or a limit allows`,
    "choose another disk, or raise the limit: ulimit -f",
  ],
  EROFS: [
    (place) => `${place} is on a disk that is read-only`,
    "name another place (of the store: --home or MEMSVC_HOME), or make the disk writable",
  ],
  EACCES: [
    (place) => `this user has no access to ${place}`,
    "check its owner, its permissions and those of its folders",
  ],
  EPERM: [(place) => `the system denies access to ${place}`, "check its owner and its permissions"],
  EBUSY: [(place) => `another program has ${place} open`, "close it there, then try again"],
  ENOENT: [(place) => `${place} is not there and cannot be made`, "check the path, and who may write to it"],
  ENOTDIR: [(place) => `a folder on the way to ${place} is a file`, "check the path"],
  EISDIR: [(place) => `${place} is a folder, and should be a file`, "check the path"],
  EEXIST: [(place) => `${place} is in the way`, "check the path"],
  ENAMETOOLONG: [(place) => `the name of ${place} is too long`, "choose a shorter one"],
  ELOOP: [(place) => `${place} is a link that leads back to itself`, "look at what it links to"],
  ENXIO: [(place) => `${place} is not a file that can be read`, "check the path"],
  EMFILE: [(place) => `too many files are open to open ${place}`, "raise the limit: ulimit -n"],
  EIO: [(place) => `the disk failed to read or write ${place}`, "check the disk's health, then try again"],
};

/** Errors that only occur in writing: if an error names two files, the second one is meant. */
const ofWriting: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS"]);

/**
 * Descriptions for errors without a path, which occur on open files. Other codes without a path are not about files.
 */
const unnamed: Readonly<Record<string, string>> = {
  ENOSPC: "to the disk",
  EDQUOT: "to the disk",
  EIO: "a file",
  EMFILE: "another",
  EISDIR: "what was to be read",
};

/** Every relative path needs the working folder, and so does Node itself. */
export const deletedWorkingDirectory: SystemErrorDescription = {
  problem: "the current folder no longer exists",
  hint: "change to one that exists: cd ~",
};

/** Explains a system error for a path (by default the error's own); undefined for errors of other kinds. */
export function describeSystemError(error: unknown, path?: string): SystemErrorDescription | undefined {
  const code = errorCode(error);
  if (!(error instanceof Error) || code === undefined || !("syscall" in error)) return undefined;
  // A missing program is reported by the code that wanted to run it.
  if (String(error.syscall).startsWith("spawn")) return undefined;
  if (error.syscall === "uv_cwd") return deletedWorkingDirectory;
  const [problem, hint] = (Object.hasOwn(faults, code) && faults[code]) || [];
  if (problem === undefined || hint === undefined) return undefined;
  const written = ofWriting.has(code) ? pathIn(error, "dest") : undefined;
  const place = path ?? written ?? pathIn(error, "path") ?? unnamed[code];
  if (place === undefined) return undefined;
  return { problem: problem(place), hint };
}

function pathIn(error: Error, name: "path" | "dest"): string | undefined {
  const path: unknown = Reflect.get(error, name);
  return typeof path === "string" ? path : undefined;
}
