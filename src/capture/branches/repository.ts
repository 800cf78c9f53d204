import { basename, dirname, join, resolve } from "node:path";
import { isFolder, namesIn, smallFile } from "../../paths/git-files.ts";
import { realPath } from "../../paths/real-path.ts";
import { readCoreSettings } from "../../paths/repository-settings.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import type { Worktree } from "./answers.ts";
import { readHead } from "./refs.ts";

/*
 * Reads a repository from its own files. No git is run, so none of the repository's hooks and filters are
 * either. A working tree has `.git`: a folder, or a file that names a git folder elsewhere (linked working
 * trees, submodules, `--separate-git-dir`). The git folder of a linked tree has a HEAD of its own, and names
 * in `commondir` the git folder that holds the branches.
 */

export interface Repository {
  /** The folder of the working tree; null in a bare repository and inside a git folder. */
  readonly topLevel: string | null;
  readonly gitDir: string;
  readonly commonDir: string;
  /** The main working tree, or the git folder itself if there is none. */
  readonly mainRoot: string;
  /** Whether this is a linked working tree. */
  readonly isWorktree: boolean;
}

/** The repository that contains a folder, whose links must be resolved. */
export function findRepository(folder: string): Repository | undefined {
  for (let current = folder; ; current = dirname(current)) {
    const gitDir = gitDirOf(current);
    if (gitDir !== undefined) return repositoryAt(gitDir, current);
    if (isGitDir(current)) return repositoryAt(current, null);
    if (current === dirname(current)) return undefined;
  }
}

/** The main working tree, then the linked ones by path. */
export function worktreesOf({ commonDir, mainRoot }: Repository): Worktree[] {
  const linked = namesIn(join(commonDir, "worktrees")).flatMap((name) => {
    const gitDir = join(commonDir, "worktrees", name);
    const dotGit = smallFile(join(gitDir, "gitdir"));
    if (dotGit === undefined || dotGit === "") return [];
    return [worktree(dirname(resolve(gitDir, dotGit)), gitDir, commonDir, false)];
  });
  const isBare = readCoreSettings(commonDir).bare;
  const main = worktree(mainRoot, commonDir, commonDir, isBare);
  return [main, ...linked.sort((left, right) => compareTexts(left.path, right.path))];
}

function worktree(path: string, gitDir: string, commonDir: string, bare: boolean): Worktree {
  const { sha, branch } = readHead(gitDir, commonDir);
  return { path, head: sha, branch, bare };
}

function repositoryAt(gitDir: string, topLevel: string | null): Repository {
  const common = smallFile(join(gitDir, "commondir"));
  const isWorktree = common !== undefined && common !== "";
  const commonDir = isWorktree ? real(resolve(gitDir, common)) : gitDir;
  const mainRoot = isWorktree || topLevel === null ? mainRootOf(commonDir) : topLevel;
  return { topLevel, gitDir, commonDir, mainRoot, isWorktree };
}

/** The git folder that `.git` of a folder is, or names. */
function gitDirOf(folder: string): string | undefined {
  const dotGit = join(folder, ".git");
  if (isGitDir(dotGit)) return real(dotGit);
  const named = /^gitdir:\s*(\S.*)$/u.exec(smallFile(dotGit) ?? "")?.[1];
  if (named === undefined) return undefined;
  const gitDir = resolve(folder, named.trim());
  return isGitDir(gitDir) ? real(gitDir) : undefined;
}

/** A git folder has a HEAD, and either the branches or `commondir`, which says where they are. */
function isGitDir(path: string): boolean {
  if (!isFolder(path) || smallFile(join(path, "HEAD")) === undefined) return false;
  if (smallFile(join(path, "commondir")) !== undefined) return true;
  return isFolder(join(path, "objects")) && isFolder(join(path, "refs"));
}

function mainRootOf(commonDir: string): string {
  const { bare, worktree: configured } = readCoreSettings(commonDir);
  if (bare) return commonDir;
  if (configured !== undefined) return real(resolve(commonDir, configured));
  return basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;
}

function real(path: string): string {
  return isFolder(path) ? realPath(path) : path;
}
