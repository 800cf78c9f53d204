import { existsSync, lstatSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { MemsvcError } from "../operation/errors.ts";
import { homeOfUser } from "../system/home-of-user.ts";
import { isSystemError } from "../system/is-system-error.ts";
import { isInside } from "./is-inside.ts";
import { realPath } from "./real-path.ts";
import { isSensitive } from "./sensitive.ts";

export interface Confinement {
  /** Folders that paths may lie in; the user's home and the working directory where none are set. */
  readonly roots: readonly string[];
  /** What relative paths start from. */
  readonly cwd?: string | undefined;
  /** The service's own home, whose database no path may name. */
  readonly home: string;
}

/** The setting takes the place of the usual folders, so a list that leaves them out would close them. */
const wayIntoUsualRoots =
  "name a path below your home or the daemon's working directory, or allow its folder beside your home: " +
  "memsvc config set MEMSVC_ALLOWED_ROOTS '~,<folder>'";
const wayIntoChosenRoots =
  "name a path below a folder that MEMSVC_ALLOWED_ROOTS lists, or add its own to the list; " +
  "to see it: memsvc config get MEMSVC_ALLOWED_ROOTS";

/**
 * The place that a path of a request names, when the request may touch it: inside an allowed root after every
 * symbolic link has been followed, and with no sensitive name on its way. For writing, the file itself must not be
 * a link. Errors: forbidden; not_found when it is to be read and is not there.
 */
export function confinedPath(given: string, purpose: "read" | "write", confinement: Confinement): string {
  const asked = resolve(confinement.cwd ?? process.cwd(), expandHome(given));
  if (isSensitive(asked) || isOwnDatabase(asked, confinement.home)) throw sensitivePath(given);
  const target = realTarget(asked);
  const roots = (confinement.roots.length > 0 ? confinement.roots : [homeOfUser(), process.cwd()])
    .map((root) => resolve(expandHome(root)))
    .filter((root) => existsSync(root))
    .map(realPath);
  if (!roots.some((root) => isInside(target, root))) {
    throw new MemsvcError("forbidden", `${given} is outside the folders that requests may access`, {
      hint: confinement.roots.length > 0 ? wayIntoChosenRoots : wayIntoUsualRoots,
    });
  }
  const home = realTarget(resolve(confinement.home));
  if (isSensitive(target) || isOwnDatabase(target, home)) throw sensitivePath(given);
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

/** A path as a shell would take it: `~` is the user's home. */
export function expandHome(path: string): string {
  return path === "~" || /^~[/\\]/u.test(path) ? join(homeOfUser(), path.slice(1)) : path;
}

/** The path with links followed, as far as it exists. */
function realTarget(path: string): string {
  let existing = path;
  const missing: string[] = [];
  while (!existsSync(existing) && !isLink(existing)) {
    missing.unshift(relative(dirname(existing), existing));
    existing = dirname(existing);
  }
  // A link that leads nowhere has no real path; what it names is looked at instead of followed.
  return isLink(existing) && !existsSync(existing)
    ? danglingTarget(existing)
    : join(realPath(existing), ...missing);
}

function danglingTarget(link: string): never {
  throw new MemsvcError("forbidden", `${link} is a broken symbolic link`);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch (error) {
    // Nothing can have a name that is too long for the file system, or lie in a folder that may not be entered.
    if (isSystemError(error)) return false;
    throw error;
  }
}

function isOwnDatabase(path: string, home: string): boolean {
  const way = relative(resolve(home), path);
  // Windows and macOS find a file by its name in whatever case.
  return /^memsvc\.(?:db(?:-wal|-shm)?|lock)$/iu.test(way);
}

function sensitivePath(given: string): MemsvcError {
  return new MemsvcError("forbidden", `${given} has a name that secrets are kept under`, {
    hint: "requests may not access key files, credentials, .env files or the store itself",
  });
}
