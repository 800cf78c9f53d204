import { relative, resolve, sep } from "node:path";
import { MemsvcError } from "../../operation/errors.ts";
import { isFolder } from "../../paths/git-files.ts";
import { isInside } from "../../paths/is-inside.ts";
import { realPath } from "../../paths/real-path.ts";
import type { Paging } from "../../store/page.ts";
import type { ScopeRequest } from "../sessions/agent-scope.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { BranchSessions, DetectedBranch, Worktree } from "./answers.ts";
import { readHead } from "./refs.ts";
import { findRepository, type Repository, worktreesOf } from "./repository.ts";

interface SessionsInput extends ScopeRequest, Paging {
  readonly cwd?: string | undefined;
}

const noRepository: DetectedBranch = {
  isWorktree: false,
  branch: null,
  topLevel: null,
  mainRepoRoot: null,
  gitDir: null,
  commonDir: null,
};

/** Questions about the git repository of a folder. Error of each: not_found when there is no such folder. */
export interface Branches {
  detect(cwd: string | undefined): Promise<DetectedBranch>;
  /** The main working tree first; empty outside a repository. */
  worktrees(cwd: string | undefined): Promise<{ worktrees: Worktree[] }>;
  /** The sessions that worked in the repository, in any of its working trees. */
  sessions(input: SessionsInput): Promise<BranchSessions>;
}

export function branchesOver(sessions: Sessions): Branches {
  return {
    detect: async (cwd) => {
      const { repository } = repositoryFrom(cwd);
      return repository === undefined ? noRepository : detected(repository);
    },
    worktrees: async (cwd) => {
      const { repository } = repositoryFrom(cwd);
      return { worktrees: repository === undefined ? [] : worktreesOf(repository) };
    },
    sessions: async (input) => {
      const { repository, asked, real } = repositoryFrom(input.cwd);
      const found = repository === undefined ? noRepository : detected(repository);
      const own = repository === undefined ? [] : foldersOf(repository, asked, real);
      const reached = own.length === 0 ? [] : leadingInto(own, await sessions.folders());
      const page = await sessions.list({ ...input, folders: [...own, ...reached] });
      return {
        ...page,
        projectRoot: found.mainRepoRoot,
        branch: found.branch,
        isWorktree: found.isWorktree,
      };
    },
  };
}

function detected({ isWorktree, topLevel, mainRoot, gitDir, commonDir }: Repository): DetectedBranch {
  const { branch } = readHead(gitDir, commonDir);
  return { isWorktree, branch, topLevel, mainRepoRoot: mainRoot, gitDir, commonDir };
}

function repositoryFrom(cwd: string | undefined) {
  const asked = resolve(cwd ?? process.cwd());
  if (!isFolder(asked))
    throw new MemsvcError("not_found", `${cwd ?? asked} is not a folder`, { hint: "check the path" });
  const real = realPath(asked);
  return { repository: findRepository(real), asked, real };
}

/**
 * The folders of a repository. If it was reached through a link, sessions may have recorded the unresolved path, also
 * of folders that do not exist any more.
 */
function foldersOf(repository: Repository, asked: string, real: string): string[] {
  const folders = [repository.mainRoot, ...worktreesOf(repository).map(({ path }) => path)];
  const { topLevel } = repository;
  if (topLevel === null) return folders;
  const below = relative(topLevel, real);
  if (below === "") folders.push(asked);
  else if (asked.endsWith(`${sep}${below}`)) folders.push(asked.slice(0, -below.length - 1));
  return [...new Set([...folders, topLevel])];
}

/** Recorded folders that lie in one of these through a symbolic link somewhere in their path. */
function leadingInto(folders: readonly string[], recorded: readonly string[]): string[] {
  const liesIn = (path: string) => folders.some((folder) => isInside(path, folder));
  return recorded.filter((path) => !liesIn(path) && isFolder(path) && liesIn(realPath(path)));
}
