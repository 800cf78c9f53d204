import { basename, join } from "node:path/posix";
import { withoutPlumbing } from "./command-kind.ts";
import { commandParts } from "./command-steps.ts";

/**
 * Files or folders that a command moved to `to`, or deleted if `to` is missing; as named in the command, below the
 * folder that it changed to before.
 */
export interface FileMove {
  readonly from: readonly string[];
  readonly to?: string;
}

/** Whether the move itself shows that its target is a folder. */
export function movesIntoFolder({ from, to }: FileMove): boolean {
  return to !== undefined && (to.endsWith("/") || from.length > 1);
}

/** The path of something after it was moved into a folder. */
export function nameWithin(folder: string, name: string): string {
  return join(folder, basename(name));
}

const cut = /…/;
/** Characters that a shell expands. */
const expanded = /[*?{}$`"'\\~]/;
/** Shell syntax, which is no file name unless it is quoted. */
const syntax = /^(?!["']).*[<>&#()]/;
/** Words that lead out of the folder, or make the command only show what it would do. */
const elsewhere = /^(?:\.\.(?:\/|$)|-t$|-n$|--dry-run$|--target-directory|--cached$)/;

const mayMove = /\b(?:mv|rm)\s/;

/** What a command moves and deletes, if its file names are literal. */
export function fileMoves(command: string): FileMove[] {
  if (!mayMove.test(command)) return [];
  const moves: FileMove[] = [];
  let folder = "";
  for (const { text } of commandParts(withoutPlumbing(command))) {
    const words = text.trim().split(/\s+/);
    const move = moveOf(words);
    if (move !== undefined) moves.push(below(folder, move));
    const target = words[0] === "cd" || words[0] === "pushd" ? changedTo(words.slice(1)) : undefined;
    if (target === null || words[0] === "popd") break;
    if (target !== undefined) folder = target.startsWith("/") ? target : join(folder, target);
    if (elsewhere.test(folder)) break;
  }
  return moves;
}

/** The folder that `cd` is told; null if it is not certain. */
function changedTo(words: readonly string[]): string | null {
  const [name = ""] = words.map(unquoted);
  const isCertain =
    words.length === 1 &&
    name !== "" &&
    !/^[-+]/.test(name) &&
    ![cut, expanded, syntax].some((one) => one.test(name));
  return isCertain ? plain(name) || "/" : null;
}

function below(folder: string, { from, to }: FileMove): FileMove {
  if (folder === "" || folder === ".") return to === undefined ? { from } : { from, to };
  const named = (name: string) => (name.startsWith("/") ? name : join(folder, name));
  return { from: from.map(named), ...(to === undefined ? {} : { to: named(to) }) };
}

function moveOf(words: readonly string[]): FileMove | undefined {
  const [program, ...rest] = words[0] === "git" ? words.slice(1) : words;
  if (program !== "mv" && program !== "rm") return undefined;
  if (rest.some((word) => [cut, syntax, elsewhere].some((one) => one.test(word)))) return undefined;
  const names = rest.filter((word) => !word.startsWith("-")).map(unquoted);
  if (names.length === 0 || names.some((name) => expanded.test(name))) return undefined;
  if (program === "rm") return { from: names.map(plain) };
  const to = names.pop() ?? "";
  const target = to === "." ? "./" : to.replace(/^\.\/(?=.)/, "");
  return names.length === 0 ? undefined : { from: names.map(plain), to: target };
}

function unquoted(word: string): string {
  return /^(["'])(.*)\1$/.exec(word)?.[2] ?? word;
}

function plain(name: string): string {
  return name.replace(/^\.\//, "").replace(/\/+$/, "");
}
