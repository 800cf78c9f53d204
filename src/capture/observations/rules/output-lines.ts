import { withoutHalves } from "../../../text/cut.ts";
import { withoutTerminalEscapes } from "../../../text/terminal-escapes.ts";

/** What can be read off the output of a tool, line by line. Every search is linear in the text. */

const errorCue = /error|exception|failed|panic|fatal|traceback|cannot|not found/gi;
const deniedBefore = /(?:^|\W)(?:0|no|zero|without)\s$/i;
const deniedAfter = /^s?\s?[:=]\s?0(?!\d)/i;
/** `main.c:3:5: …` */
const placeOfCompiler = /^[^\s:]{1,300}:\d{1,9}(?::\d{1,9})?: /;
/** Where git stands comes before what it says. */
const whereGitStands = /^(?:on branch \S+|head detached (?:at|from) \S+|your branch .*)$/i;
const tracebackHeader = /^traceback \(most recent call last\)/i;
/** `❯ cart.test.ts (5 tests | 1 failed)`, `Failed Tests 2`: how many failed is not what failed. */
const failureCount = /\b\d{1,9} (?:tests? )?(?:failed|failing)\b|\bfailed tests? \d/i;
/** Source that is shown where it failed, and the frames of a stack. */
const quotedSource =
  /^(?:[>→]\s{0,20})?(?:(?:raise|throw)\b|\d{1,6}\s{0,4}\|)|^File "|^(?:at|❯) \S.*:\d{1,9}\)?$/;
/** `severity: 'ERROR',` of an error that is shown as an object. */
const levelAlone = /^["']?(?:severity|level|name)["']?: ["']?(?:error|fatal|panic)["']?,?$/i;
/** What pytest puts before the lines of an error. */
const pytestMark = /^E\s{2,20}(?=\S)/;
/** A test that only begins in TAP, or that passed, whatever its name tells of errors. */
const toldOfTest = /^(?:# Subtest: |ok \d|[✔✓√] )/;
/** What TAP puts before what a test file wrote. */
const tapMark = /^#\s{1,8}(?=\w*error\b)/i;
/** `error: |-` of TAP: what went wrong stands on the next lines, further in. */
const opensBlock = /^[\w-]{1,40}: [|>][-+]?$/;
const testSummary =
  /\b\d{1,9} (?:tests? )?(?:passed|failed|passing|failing)\b|\btests run: ?\d|\b\d{1,9} examples?, \d|(?:#|ℹ) (?:pass|tests) \d/gi;
// The blanks are bounded, so that a long run of them cannot make the search quadratic.
const exitMention =
  /\b(?:exit code|exit status|exited with)(?: non-zero)?(?: exit)?(?: status)?(?: code)?[ :=]{0,4}(-?\d{1,10})\b/gi;
const longestExitPrefix = 24;
const readOfBlock = 600;

/** The text without terminal escapes (colours, cursor movement) and the tag that an agent puts around its tools' errors. */
export function plainText(text: string): string {
  const shown = withoutTerminalEscapes(text);
  return shown.includes("tool_use_error>") ? shown.replace(/<\/?tool_use_error>/g, "") : shown;
}

/**
 * The first lines that tell of an error, at most `maxLines`, each once: what went wrong before counts of it and quoted
 * source. `0 errors` and `no errors` tell of none.
 */
export function errorLines(text: string, maxLines: number): string[] {
  const lines: string[] = [];
  const lesser: string[] = [];
  errorCue.lastIndex = 0;
  for (let match = errorCue.exec(text); match !== null; match = errorCue.exec(text)) {
    const end = match.index + match[0].length;
    if (deniedBefore.test(text.slice(Math.max(0, match.index - 9), match.index))) continue;
    if (deniedAfter.test(text.slice(end, end + 6))) continue;
    const lineEnd = endOfLine(text, end);
    const { line, blockLength } = withBlock(
      lineAround(text, match.index, lineEnd).replace(pytestMark, "").replace(tapMark, ""),
      text.slice(lineEnd + 1, lineEnd + 1 + readOfBlock),
    );
    errorCue.lastIndex = lineEnd + blockLength;
    if (tracebackHeader.test(line) || levelAlone.test(line) || toldOfTest.test(line)) continue;
    const kind = failureCount.test(line) || quotedSource.test(line) ? lesser : lines;
    if (kind.length < maxLines && !kind.includes(line)) kind.push(line);
    if (lines.length === maxLines) break;
  }
  return [...lines, ...lesser].slice(0, maxLines);
}

/** The line, with what it opens: the next lines as long as they stand as far in as the first of them. */
function withBlock(line: string, after: string): { line: string; blockLength: number } {
  const [margin] = (opensBlock.test(line) ? /^[ \t]{1,40}/.exec(after) : null) ?? [];
  if (margin === undefined) return { line, blockLength: 0 };
  const following = withoutHalves(after).split("\n");
  const end = following.findIndex((next) => next.trim() === "" || !next.startsWith(margin));
  const block = following.slice(0, end < 0 ? following.length : end);
  return {
    line: [line.replace(/ [|>][-+]?$/, ""), ...block.map((next) => next.trim())].join(" "),
    blockLength: block.join("\n").length + 1,
  };
}

/**
 * The first line with something on it, headers (an exit code, a traceback's, git's branch) passed over when there is more. One that
 * only introduces what a compiler says, in whatever language, gives way to the first that names a place.
 */
export function firstTellingLine(text: string): string {
  let first = "";
  let telling = "";
  for (const rawLine of withoutHalves(text.slice(0, 4096)).split("\n", 50)) {
    const line = rawLine.trim();
    if (line === "") continue;
    if (first === "") first = line;
    if (telling !== "") {
      if (placeOfCompiler.test(line)) return line;
    } else if (!isHeader(line)) {
      if (!line.endsWith(":")) return line;
      telling = line;
    }
  }
  return telling || first;
}

function isHeader(line: string): boolean {
  return tracebackHeader.test(line) || whereGitStands.test(line) || /^exit code:? -?\d+$/i.test(line);
}

/** The line that sums up a test run: the last one with a count above zero, or else the last one. */
export function testSummaryLine(text: string): string | undefined {
  let last: number | undefined;
  let lastWithCount: number | undefined;
  testSummary.lastIndex = 0;
  for (let match = testSummary.exec(text); match !== null; match = testSummary.exec(text)) {
    last = match.index;
    if (/[1-9]/.test(match[0])) lastWithCount = match.index;
  }
  const found = lastWithCount ?? last;
  if (found === undefined) return undefined;
  return lineAround(text, found, endOfLine(text, found)).replace(/^[=\s]+|[=\s]{1,200}$/g, "");
}

/** N of a line `exit code: N` or `exited with N`. */
export function exitCodeIn(text: string): number | undefined {
  exitMention.lastIndex = 0;
  for (let match = exitMention.exec(text); match !== null; match = exitMention.exec(text)) {
    const prefix = text.slice(Math.max(0, match.index - longestExitPrefix - 1), match.index);
    const startsLine = prefix.includes("\n") || match.index <= longestExitPrefix;
    if (startsLine) return Number(match[1]);
  }
  return undefined;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

// A line may be as long as the whole output; what is read of it is bounded.
function lineAround(text: string, index: number, lineEnd: number): string {
  const lineStart = text.lastIndexOf("\n", index - 1) + 1;
  const start = index === 0 ? 0 : Math.max(lineStart, index - 300);
  return withoutHalves(text.slice(start, Math.min(lineEnd, index + 300))).trim();
}
