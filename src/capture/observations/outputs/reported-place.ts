import { withoutHalves } from "../../../text/cut.ts";

/* Where an output says that something is wrong: a file and line, as compilers and linters print them. */

/** `main.c:3:5: …`; but a time of day is no place in a file, and frames of Lua's stack report nothing. */
const placeOfCompiler =
  /^(?=[^\s:]*[a-z])[^\s:]{1,300}:\d{1,9}(?::\d{1,9})?: (?!in (?:function|main chunk|method|local|upvalue|field)\b)/i;
/** Ruff prints the place below the message. */
const messageAbovePlace = /^(\S.{0,300})\r?\n {1,8}--> (\S{1,300}:\d{1,9}:\d{1,9})\r?$/m;
/** Biome and stylelint print the message below the place or the file. */
const messageBelowPlace =
  /^(?=[^\s:]*[a-z])([^\s:]{1,300}(?::\d{1,9}:\d{1,9})?(?: [\w/-]{1,100})?)(?: [^\n]{0,200}━━)?\r?\n(?:[ \t]*\r?\n)?[ \t]{1,8}((?:\d{1,9}:\d{1,9} {1,8})?[×✖] .{1,300})$/im;
const readOfOutput = 65_536;

/** Whether a line names a place in a file, as compilers of all languages do. */
export function namesPlace(line: string): boolean {
  return placeOfCompiler.test(line);
}

/** The first message with its place of a linter whose messages have no word that tells an error. */
export function lintedPlace(output: string): string | undefined {
  const text = output.slice(0, readOfOutput);
  const [, message, below] = messageAbovePlace.exec(text) ?? [];
  if (message !== undefined) return `${message.trim()} --> ${below}`;
  const [, above, told] = messageBelowPlace.exec(text) ?? [];
  return above === undefined ? undefined : `${above}: ${told?.trim()}`;
}

/** Go lists what it could not compile below the name of the package. */
const compiledByGo =
  /^# \S{1,300}\r?\n(?:(?:vet: )?\S{1,300}\.go:\d{1,9}:\d{1,9}: .{1,300}(?:\r?\n|$)){1,3}/m;

/** The first lines of what Go could not compile; none for other outputs. */
export function linesOfGo(output: string): string[] {
  if (!output.includes(".go:")) return [];
  const [block = ""] = compiledByGo.exec(output.slice(0, readOfOutput)) ?? [];
  return block
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** `./src/page.tsx:3:5` on a line of its own, above the message. */
const placeAlone = /(?:^|\n)(\S{1,300}:\d{1,9}:\d{1,9})\r?\n$/;
/** `3:5  error  …` of ESLint: the file is at the head of the block. */
const placeWithoutFile = /^\d{1,9}:\d{1,9}\s{1,8}error\b/;
const fileAlone = /^\S.{0,300}[./\\].{0,100}$/m;
const readOfBlock = 4096;
const readOfPlace = 400;

/** An error line, which begins at `at`, with the file or place that stands above it. */
export function withPlaceAbove(line: string, text: string, at: number): string {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const above = (length: number) => withoutHalves(text.slice(Math.max(0, lineStart - length), lineStart));
  if (!placeWithoutFile.test(line)) {
    const place = placeAlone.exec(above(readOfPlace))?.[1];
    return place === undefined ? line : `${place}: ${line}`;
  }
  const block = above(readOfBlock);
  const blank = Math.max(block.lastIndexOf("\n\n"), block.lastIndexOf("\n\r\n"));
  const file = fileAlone.exec(block.slice(blank + 1))?.[0];
  return file === undefined ? line : `${file}:${line}`;
}
