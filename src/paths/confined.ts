import { existsSync, lstatSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { MemsvcError } from "../operation/errors.ts";
import { homeOfUser } from "../system/home-of-user.ts";
import { isSystemError } from "../system/is-system-error.ts";
import { expandHome } from "./expand-home.ts";
import { isInside } from "./is-inside.ts";
import { realPath } from "./real-path.ts";
import { isSensitive } from "./sensitive.ts";
import { namesStream } from "./stream-name.ts";

export interface Confinement {
  /** Folders that paths may lie in; if none is named, the user's home and the working directory. */
  readonly roots: readonly string[] | undefined;
  /** The folder that relative paths start from. */
  readonly cwd?: string | undefined;
  /** The home of memsvc, whose database no path may name. */
  readonly home: string;
}

/** MEMSVC_ALLOWED_ROOTS replaces the default folders, so the suggested list has to include them. */
const wayIntoUsualRoots =
  "name a path below your home or the daemon's working directory, or allow its folder beside your home: " +
  'memsvc config set MEMSVC_ALLOWED_ROOTS "~,<folder>"';
const wayIntoChosenRoots =
  "name a path below a folder that MEMSVC_ALLOWED_ROOTS lists, or add its own to the list; " +
  "to see it: memsvc config get MEMSVC_ALLOWED_ROOTS";

/**
 * Checks a path from a request and returns its real path. It must lie inside an allowed root after all symbolic links
 * were followed, and no part of it may have a sensitive name. For writing, the file itself must not be a link. Errors:
 * forbidden; not_found if a file to be read does not exist.
 */
export function confinedPath(given: string, purpose: "read" | "write", confinement: Confinement): string {
  const asked = resolve(confinement.cwd ?? process.cwd(), expandHome(given));
  if (isOwnDatabase(asked, confinement.home)) throw ownStore(given);
  if (isSensitive(asked) || namesStream(asked)) throw sensitivePath(given);
  const target = realTarget(asked);
  const { roots: chosen = [] } = confinement;
  const roots = chosen.length > 0 ? chosen : [homeOfUser(), process.cwd()];
  if (!roots.some((root) => isInsideRoot(target, root))) {
    throw new MemsvcError("forbidden", `${given} is outside the folders that requests may access`, {
      hint: chosen.length > 0 ? wayIntoChosenRoots : wayIntoUsualRoots,
    });
  }
  const home = realTarget(resolve(confinement.home));
  if (isOwnDatabase(target, home)) throw ownStore(given);
  if (isSensitive(target)) throw sensitivePath(given);
  if (purpose === "write" && isLink(asked)) {
    throw new MemsvcError(
      "forbidden",
      `${given} is a symbolic link, and memsvc does not write through links`,
    );
  }
  if (purpose === "read" && !existsSync(target)) {
    const isRelative = confinement.cwd === undefined && !isAbsolute(expandHome(given));
    throw new MemsvcError("not_found", `${given} does not exist`, {
      hint: isRelative
        ? `give its whole path; without a cwd it was looked for in ${process.cwd()}`
        : "check the path",
    });
  }
  return target;
}

/** A root that does not exist yet counts, too, so that what is missing is what the error names. */
function isInsideRoot(target: string, root: string): boolean {
  const followed = followLinks(resolve(expandHome(root)));
  return followed.kind === "path" && isInside(target, followed.path);
}

function realTarget(path: string): string {
  const followed = followLinks(path);
  if (followed.kind === "path") return followed.path;
  throw new MemsvcError("forbidden", `${followed.link} is a broken symbolic link`);
}

type Followed =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "broken"; readonly link: string };

/** The path with symbolic links followed, as far as it exists. Nothing does on a drive that is missing. */
function followLinks(path: string): Followed {
  let existing = path;
  const missing: string[] = [];
  while (!existsSync(existing) && !isLink(existing)) {
    const parent = dirname(existing);
    if (parent === existing) return { kind: "path", path };
    missing.unshift(relative(parent, existing));
    existing = parent;
  }
  if (!existsSync(existing)) return { kind: "broken", link: existing };
  return { kind: "path", path: join(realPath(existing), ...missing) };
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch (error) {
    // A name that is too long for the file system, or a folder that may not be entered: nothing is there for us.
    if (isSystemError(error)) return false;
    throw error;
  }
}

function isOwnDatabase(path: string, home: string): boolean {
  const way = relative(resolve(home), path);
  // Case-insensitive, because Windows and macOS find a file by its name in any case.
  return /^memsvc\.(?:db(?:-wal|-shm)?|lock)$/iu.test(way);
}

function sensitivePath(given: string): MemsvcError {
  return new MemsvcError("forbidden", `${given} has a name that secrets are kept under`, {
    hint: "requests may not access key files, credentials or .env files",
  });
}

function ownStore(given: string): MemsvcError {
  return new MemsvcError(
    "forbidden",
    `${given} is the store in use, which requests may not access as a file`,
    {
      hint: "name another file; this store is brought up to date whenever it is opened",
    },
  );
}
