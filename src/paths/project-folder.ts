import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { smallFile } from "./git-files.ts";
import { repositoryTop } from "./repository-top.ts";

/**
 * How the project is called that work in a folder belongs to: by the name of its repository's top folder, else by the
 * folder's own; in a linked working tree by the path of the main one, to which the name alone need not lead.
 */
export function projectNameOf(folder: string): string {
  const top = repositoryTop(folder);
  return (top === undefined ? undefined : mainTreeOf(top)) ?? (basename(top ?? folder) || folder);
}

/** The main working tree, where the folder is the top of a linked one; git keeps those in `.git/worktrees` there. */
export function mainTreeOf(top: string): string | undefined {
  const named = /^gitdir:\s*(.+)[\\/]\.git[\\/]worktrees[\\/][^\\/]+$/u.exec(
    smallFile(join(top, ".git")) ?? "",
  )?.[1];
  const main = named === undefined ? undefined : resolve(top, named);
  return main !== undefined && existsSync(join(main, ".git")) ? main : undefined;
}
