import type { branchSessions, detectBranch, listWorktrees } from "../../capture/branches/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { renderSessions } from "./sessions.ts";

const outside = "no repository here";
const shortSha = 7;

export function renderBranch(answer: OutputOf<typeof detectBranch>, { paint }: Terminal): string {
  if (answer.gitDir === null) return outside;
  const facts: readonly (readonly [string, string | null])[] = [
    ["branch", answer.branch ?? "detached"],
    [answer.isWorktree ? "linked working tree" : "working tree", answer.topLevel ?? "none"],
    ["main", answer.mainRepoRoot],
    ["git folder", answer.gitDir],
  ];
  return facts.map(([name, value]) => `${paint.dim(`${name}:`)} ${value}`).join("\n");
}

export function renderWorktrees(
  { worktrees }: OutputOf<typeof listWorktrees>,
  { paint, isForPeople }: Terminal,
): string {
  if (worktrees.length === 0) return outside;
  return worktrees
    .map(({ path, head, branch, bare }) => {
      const commit = head === null ? "no commits yet" : isForPeople ? head.slice(0, shortSha) : head;
      return `${path}  ${bare ? "bare" : (branch ?? "detached")}  ${paint.dim(commit)}`;
    })
    .join("\n");
}

export function renderBranchSessions(answer: OutputOf<typeof branchSessions>, terminal: Terminal): string {
  if (answer.projectRoot === null) return outside;
  const head = `${answer.projectRoot}  ${terminal.paint.dim(answer.branch ?? "detached")}`;
  return [head, renderSessions(answer, terminal)].join("\n");
}
