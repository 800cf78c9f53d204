// The sample project's files at each moment of the story. Reads, searches, edits and commits use them, so that a file
// read later shows an edit of an earlier session.

import { hunksBetween, linesOf } from "./line-diff.ts";

/** What a commit contains. */
export interface CommitStat {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

/**
 * Files by path relative to the project's folder. Naming a file that does not exist is an error in the story, and
 * throws.
 */
export interface Worktree {
  read(path: string): string;
  has(path: string): boolean;
  paths(): readonly string[];
  write(path: string, content: string): void;
  /** Replaces the one occurrence of `oldText`. */
  edit(path: string, oldText: string, newText: string): { readonly before: string; readonly after: string };
  remove(path: string): void;
  move(from: string, to: string): void;
  /** The number, from 1, of the first line that contains `snippet`. */
  lineOf(path: string, snippet: string): number;
  /** The changes since the last commit; commits the present state. */
  commit(): CommitStat;
}

export function createWorktree(initial: Readonly<Record<string, string>>): Worktree {
  const files = new Map(Object.entries(initial));
  let committed = new Map(files);

  const read = (path: string): string => {
    const content = files.get(path);
    if (content === undefined) throw new Error(`the sample project has no file ${path}`);
    return content;
  };

  return {
    read,
    has: (path) => files.has(path),
    paths: () => [...files.keys()].sort(),
    write: (path, content) => void files.set(path, content),
    edit: (path, oldText, newText) => {
      const before = read(path);
      if (before.split(oldText).length !== 2) throw new Error(`not exactly once in ${path}: ${oldText}`);
      const after = before.replace(oldText, () => newText);
      files.set(path, after);
      return { before, after };
    },
    remove: (path) => {
      read(path);
      files.delete(path);
    },
    move: (from, to) => {
      files.set(to, read(from));
      files.delete(from);
    },
    lineOf: (path, snippet) => {
      const index = linesOf(read(path)).findIndex((line) => line.includes(snippet));
      if (index === -1) throw new Error(`no line of ${path} has ${snippet}`);
      return index + 1;
    },
    commit: () => {
      const stat = compare(committed, files);
      committed = new Map(files);
      return stat;
    },
  };
}

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): CommitStat {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changed = paths.filter((path) => before.get(path) !== after.get(path));
  const hunks = changed.flatMap((path) => hunksBetween(before.get(path) ?? "", after.get(path) ?? ""));
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    files: changed.length,
    insertions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
    created: changed.filter((path) => !before.has(path)),
    deleted: changed.filter((path) => !after.has(path)),
  };
}
