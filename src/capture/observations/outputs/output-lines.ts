import { withoutHalves } from "../../../text/cut.ts";
import { withoutTerminalEscapes } from "../../../text/terminal-escapes.ts";
import { trimmedLines } from "../../../text/trimmed-lines.ts";
import { reportsForeignError } from "./foreign-errors.ts";
import { namesPlace } from "./reported-place.ts";

/** Reads the output of a tool line by line. Every search is linear. */

const tracebackHeader = /^traceback \(most recent call last\)/i;
const exitHeader = /^exit code:? -?\d+$/i;
/** git prints the branch before its actual message. */
const whereGitStands = /^(?:on branch \S+|head detached (?:at|from) \S+|your branch .*)$/i;
const headers = [tracebackHeader, exitHeader, whereGitStands];
/**
 * Lines that only introduce something: `# package`, `> script`, `$ command`, a call of a compiler, a ruler, what Poetry
 * and Composer begin with, where git pushes to.
 */
const introduces =
  /^(?:[#>$+] |=== RUN\b|-- |\[\s{0,2}\d{1,3}%\] |(?:cc|c\+\+|gcc|g\+\+|clang(?:\+\+)?) -|(?:Installing|Updating) dependencies\b|Creating virtualenv |Your requirements could not be resolved\b|To \S+[:/]\S+$)|^[^\p{L}\p{N}]+$/u;
/**
 * The number of snapshots, which jest prints below that of tests, sums up no tests. The last alternatives are for
 * bun (` 3 pass`), for Dart (`00:02 +7 -1: Some tests failed.`), and for Go, which counts no tests:
 * `ok  	shop/cart	0.002s`, a line per package.
 */
const testSummary =
  /(?<![:.\d]|\bport )\b\d{1,9} (?:tests? )?(?:passed|failed|passing|failing)\b(?!: |=)(?<!^Snapshots:.{0,80})|\btests run: ?\d|\b\d{1,9} (?:examples?|tests?), (?:with )?\d|(?:#|ℹ) (?:pass|tests|fail) \d|\btests: \d{1,9}, assertions: \d|\b\d{1,9} runs, \d|\bran \d{1,9} tests? in\b|\bFAILED \((?:failures|errors)=\d|\b\d{1,9} errors? in [\d.]{1,12}s\b|\bfailed: {1,8}\d{1,9}, passed: {1,8}\d|^ {1,4}\d{1,9} (?:pass|fail)$|^\d\d:\d\d \+\d{1,6}(?: ~\d{1,6})?(?: -\d{1,6})?: (?:some tests failed\.|all tests passed!)|^(?:FAIL|ok)[\t ]{1,8}\S{1,300}[\t ]{1,8}(?:\d{1,7}\.\d{1,3}s|\(cached\)|\[(?:build|setup) failed\])/gim;
const someFailed =
  /\b[1-9]\d{0,8} (?:tests? )?(?:failed|failing|fail$|failures?|errors?)\b|\b(?:failures|errors|failed)[:=] {0,8}[1-9]|^. fail [1-9]|^FAIL[\t ]|: some tests failed\.$/i;
const readOfSummary = 80;
const summaryMargin = /^(?:\[[A-Z]{1,9}\])?[=\s]+|[=\s]{1,200}$/g;
// White space is bounded, so that a long run of it cannot make the search quadratic.
const exitMention =
  /\b(?:exit code|exit status|exited with)(?: non-zero)?(?: exit)?(?: status)?(?: code)?[ :=]{0,4}(-?\d{1,10})\b/gi;
const longestExitPrefix = 24;

/**
 * Files in base64 (a PDF, a sound, a font in a style sheet): longer than any token, with both cases and
 * digits.
 */
const encodedFile =
  /(?<![A-Za-z0-9+/])(?=[A-Za-z+/]{0,200}\d)(?=[a-z0-9+/]{0,200}[A-Z])(?=[A-Z0-9+/]{0,200}[a-z])[A-Za-z0-9+/]{1000,}={0,2}/g;

const returnsToStart = /\r(?!\n)/;

/** The lines as a terminal shows them in the end: of progress that is written over itself, the last state. */
function asLeft(text: string): string {
  if (!text.includes("\n") || !returnsToStart.test(text)) return text;
  const lines = text.split("\n").map((line) => {
    const said = line.replace(/\r+$/, "");
    return `${said.slice(said.lastIndexOf("\r") + 1)}${line.slice(said.length)}`;
  });
  return lines.join("\n");
}

/**
 * The readable part of a text: without terminal escapes (colours, cursor movement) and what was written over, without
 * the tag that an agent puts around errors of its tools, and without encoded files.
 */
export function plainText(text: string): string {
  const shown = asLeft(withoutTerminalEscapes(text)).replace(encodedFile, "[base64]");
  return shown.includes("tool_use_error>") ? shown.replace(/<\/?tool_use_error>/g, "") : shown;
}

/** What programs and systems answer if they do not do something; the shell's are often below the output of others. */
const refused =
  /\b(?:no such|denied|refused|timed out|unable to|could not|(?:couldn|can|don)['’]t|missing|un(?:known|recognized|supported|expected)|invalid|not (?:a|an|supported|permitted|allowed|installed|recognized)|(?:file|already) exists|in use|killed|aborted|no space left)\b/i;
const shells = ["bash", "sh", "zsh", "dash", "fish", "/bin/sh"];
/** `Checking formatting...` */
const isUnderWay = /(?:\.\.\.|…)$/;

/**
 * The first line that names a place in a file; else the first line, preferring those of a shell or of `programs`, as
 * `cat: no such file`, then those that report an error in another language or refuse something, then those that are no
 * header (exit code, traceback, git's branch) and no mere introduction.
 */
export function firstTellingLine(text: string, programs: readonly string[] = []): string {
  const lines = firstLines(text);
  const place = lines.find(namesPlace);
  if (place !== undefined) return place;
  const said = lines.filter((line) => !headers.some((one) => one.test(line)));
  const telling = said.filter((line) => !introduces.test(line) && !isUnderWay.test(line));
  const all = [...telling, ...lastLines(text)];
  const speakers = [...shells, ...programs].map((program) => `${program}: `);
  const found =
    all.find((line) => speakers.some((speaker) => line.startsWith(speaker))) ??
    all.find(reportsForeignError) ??
    all.find((line) => refused.test(line));
  return found ?? telling[0] ?? said[0] ?? lines[0] ?? "";
}

/** The first line that names a place in a file, as compilers of all languages do. */
export function placeLine(text: string): string | undefined {
  return firstLines(text).find(namesPlace);
}

const readOfLines = 4096;
const mostLines = 50;

function firstLines(text: string): string[] {
  return trimmedLines(withoutHalves(text.slice(0, readOfLines))).slice(0, mostLines);
}

function lastLines(text: string): string[] {
  return trimmedLines(withoutHalves(text.slice(-readOfLines))).slice(-mostLines);
}

/**
 * The line that sums up a test run: the last one that reports failures, else the last one with a count above
 * zero, else the last one.
 */
export function testSummaryLine(text: string): string | undefined {
  let last: number | undefined;
  let lastWithCount: number | undefined;
  let lastFailed: number | undefined;
  testSummary.lastIndex = 0;
  for (let match = testSummary.exec(text); match !== null; match = testSummary.exec(text)) {
    last = match.index;
    if (/[1-9]/.test(match[0])) lastWithCount = last;
    const [summary = ""] = text.slice(last, last + readOfSummary).split(/\r?\n/, 1);
    if (reportsFailure(summary)) lastFailed = last;
  }
  const found = lastFailed ?? lastWithCount ?? last;
  if (found === undefined) return undefined;
  return lineAround(text, found, endOfLine(text, found)).replace(summaryMargin, "");
}

/** Whether the line that sums up a test run counts failures. */
export function reportsFailure(summary: string): boolean {
  return someFailed.test(summary);
}

/** The number in a line like `exit code: N` or `exited with N`. */
export function exitCodeIn(text: string): number | undefined {
  exitMention.lastIndex = 0;
  for (let match = exitMention.exec(text); match !== null; match = exitMention.exec(text)) {
    const prefix = text.slice(Math.max(0, match.index - longestExitPrefix - 1), match.index);
    const startsLine = prefix.includes("\n") || match.index <= longestExitPrefix;
    if (startsLine) return Number(match[1]);
  }
  return undefined;
}

export function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/**
 * The line around a position, up to `lineEnd`. At most 300 characters on either side: a line may be as long
 * as the whole output.
 */
export function lineAround(text: string, index: number, lineEnd: number): string {
  const lineStart = text.lastIndexOf("\n", index - 1) + 1;
  const start = index === 0 ? 0 : Math.max(lineStart, index - 300);
  return withoutHalves(text.slice(start, Math.min(lineEnd, index + 300))).trim();
}
