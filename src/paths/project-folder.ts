import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { smallFile } from "./git-files.ts";
import { realPath } from "./real-path.ts";
import { readCoreSettings } from "./repository-settings.ts";
import { repositoryTop } from "./repository-top.ts";

/**
 * The folder of the project that work in a folder belongs to: the top of its repository, in a linked working tree
 * that of the main one or the bare repository; outside a repository the folder itself. One that a symbolic link leads to is the same by either way.
 */
export function projectFolderOf(folder: string): string {
  const top = topOf(folder);
  return mainTreeOf(top) ?? top;
}

/**
 * How that project is called: by the name of its folder, which the nearest of that name on the way up from the work is
 * taken for; by its path in a linked working tree, and wherever else the name would lead to another folder.
 */
export function projectNameOf(folder: string): string {
  // A folder of another system, where there is nothing to be looked up.
  if (!isAbsolute(folder)) return folder.split(/[\\/]/u).findLast((part) => part !== "") ?? folder;
  const top = topOf(folder);
  const main = mainTreeOf(top);
  if (main !== undefined) return main;
  const name = basename(top);
  return name !== "" && nearestNamed(name, folder) === top ? name : top;
}

/**
 * By which folder work that was done in one lies in a project, where a symbolic link led to that; undefined where the
 * work lies in the project as it is named, or elsewhere.
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

/** The real path of a folder; as it was given where it is gone, or of another machine. */
function realFolder(folder: string): string {
  try {
    return realPath(folder);
  } catch {
    return folder;
  }
}

function nearestNamed(name: string, folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (basename(current) === name) return current;
    if (current === dirname(current)) return undefined;
  }
}

/**
 * The main working tree, where the folder is the top of a linked one; of a bare repository the folder whose `.git`
 * names it, else the repository itself. Linked trees are known in `worktrees` of the git folder that they all share.
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

/** The git folder that a `.git` file names. */
function gitFolderNamedIn(folder: string): string | undefined {
  const named = /^gitdir:\s*(\S.*)$/u.exec(smallFile(join(folder, ".git")) ?? "")?.[1];
  return named === undefined ? undefined : resolve(folder, named);
}
