import { basename, join } from "node:path/posix";
import { withoutPlumbing } from "./command-kind.ts";
import { commandParts } from "./command-steps.ts";

/** Files or folders that a command moved to `to`, or deleted if `to` is missing; as named in the command. */
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
  const steps = commandParts(withoutPlumbing(command)).map(({ text }) => text.trim().split(/\s+/));
  // After `cd` the names are relative to another folder.
  if (steps.some(([program]) => program === "cd" || program === "pushd")) return [];
  return steps.flatMap((words) => moveOf(words) ?? []);
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
