import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isFolder, smallFile } from "./git-files.ts";
import { withSmallDrive } from "./path-text.ts";
import { realPath } from "./real-path.ts";
import { readCoreSettings } from "./repository-settings.ts";
import { repositoryTop } from "./repository-top.ts";

/**
 * The folder of the project that work in a folder belongs to: the top of its repository; for a linked working tree, the
 * main working tree or the bare repository; for a further workspace of Jujutsu, the first one; outside a repository, the
 * folder itself. Symbolic links are resolved.
 */
export function projectFolderOf(folder: string): string {
  const top = topOf(folder);
  return mainFolderOf(top) ?? top;
}

/**
 * The name of the project that work in a folder belongs to: the name of the project's folder, if the nearest folder of
 * that name above `folder` is the project's; otherwise, and in linked working trees, the project's path.
 */
export function projectNameOf(folder: string): string {
  // A path of another operating system: nothing can be looked up here.
  if (!isAbsolute(folder)) return folder.split(/[\\/]/u).findLast((part) => part !== "") ?? folder;
  const top = topOf(folder);
  const main = mainFolderOf(top);
  if (main !== undefined) return main;
  const name = basename(top);
  const nearest = name === "" ? undefined : nearestNamed(name, resolve(folder));
  return nearest !== undefined && isSamePath(nearest, top) ? name : top;
}

/**
 * The folder on the way up from `folder` that is a symbolic link to the project; undefined if `folder` lies in the
 * project by its own path, or not in it at all.
 */
export function linkTo(project: string, folder: string): string | undefined {
  if (!isAbsolute(folder)) return undefined;
  for (let current = folder; current !== project; current = dirname(current)) {
    if (realFolder(current) === project) return current;
    if (current === dirname(current)) return undefined;
  }
  return undefined;
}

function topOf(folder: string): string {
  const real = realFolder(folder);
  return realFolder(repositoryTop(folder) ?? repositoryTop(real) ?? real);
}

/** The real path of a folder; the path itself if it does not exist here. */
function realFolder(folder: string): string {
  try {
    return realPath(folder);
  } catch {
    return folder;
  }
}

/** The folder of the project if a folder is the top of one more working copy of its repository; undefined for others. */
export function mainFolderOfCopy(folder: string): string | undefined {
  return isAbsolute(folder) ? mainFolderOf(folder) : undefined;
}

/** Whether two paths say the same; agents on Windows write the letter of a drive either way. */
function isSamePath(one: string, other: string): boolean {
  return withSmallDrive(one) === withSmallDrive(other);
}

function nearestNamed(name: string, folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (basename(current) === name) return current;
    if (current === dirname(current)) return undefined;
  }
}

/** The folder of the project if `top` is only one more working copy of its repository. */
function mainFolderOf(top: string): string | undefined {
  return mainTreeOf(top) ?? firstWorkspaceOf(top);
}

/** If `top` is a further workspace of Jujutsu: the one with the repository, which the file `.jj/repo` names. */
function firstWorkspaceOf(top: string): string | undefined {
  const named = smallFile(join(top, ".jj", "repo"));
  if (named === undefined) return undefined;
  const repository = resolve(top, ".jj", named);
  const ofWorkspace = dirname(repository);
  return isFolder(repository) && basename(ofWorkspace) === ".jj"
    ? realFolder(dirname(ofWorkspace))
    : undefined;
}

/**
 * If `top` is a linked working tree: its main working tree; for a bare repository the folder whose `.git` file names
 * it, else the repository itself. A linked tree's `.git` file points into `worktrees` of the shared git folder.
 */
function mainTreeOf(top: string): string | undefined {
  const shared = /^(.+)[\\/]worktrees[\\/][^\\/]+$/u.exec(gitFolderNamedIn(top) ?? "")?.[1];
  if (shared === undefined || !existsSync(shared)) return undefined;
  const beside = dirname(shared);
  if (basename(shared) === ".git" || gitFolderNamedIn(beside) === shared) return beside;
  const { bare, worktree } = readCoreSettings(shared);
  if (bare) return shared;
  return worktree === undefined ? undefined : realFolder(resolve(shared, worktree));
}

/** The git folder that the `.git` file of a folder names. */
function gitFolderNamedIn(folder: string): string | undefined {
  const named = /^gitdir:\s*(\S.*)$/u.exec(smallFile(join(folder, ".git")) ?? "")?.[1];
  return named === undefined ? undefined : resolve(folder, named);
}
