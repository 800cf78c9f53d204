import { withoutHalves } from "../../../text/cut.ts";
import { pathsIn } from "../../../text/paths-in-text.ts";
import { endOfLine, lineAround, placeLine } from "./output-lines.ts";

/*
 * Finds error messages in the output of tools, in the formats of compilers, test runners and linters of many
 * languages. A line with a cue word may report an error; lines that say what went wrong come first. Every
 * search is linear.
 */

/** Test runners write `FAIL:` in capitals. */
const cues =
  "error|exception|fail(?:ed|ure:|:)|panic|fatal|traceback|cannot|not found|undefined reference|segmentation fault|terminate called";
const errorCue = new RegExp(cues, "gi");
/**
 * `E` begins the error lines of pytest and apt. Outputs without such lines are searched ten times as fast.
 */
const errorCueOrMark = new RegExp(`${cues}|^E(?::|[ \\t]{1,19})[ \\t](?=\\S)`, "gim");
const hasMark = /^E[: ]/m;
const capitalsOnly = /^(?:fail:|e\W+)$/i;
const capitals = /^(?:FAIL|E)/;
/** `0 tests failed`, `no syntax errors`. */
const deniedBefore = /(?:^|\W)(?:0|no|zero|without)\s(?:[a-z]{1,12}\s)?$/i;
const deniedAfter = /^s?\s{0,8}[:=]\s{0,8}0(?!\w)/i;
/** `-Werror`, `--fatal-warnings` in a command that is echoed. */
const inOption = /(?:^|[\s[])-{1,2}[\w=-]*$/;
const readNear = 40;
const longestWord = 120;
const endsWord = /[\s"'`<>|,;=]/;

/** Tests that passed or begin, and titles of commits: they mention errors but report none. */
const reportsNoError =
  /^(?:# Subtest: |[✓✔√]|ok \d|--- PASS|PASS\b|\[\s{0,8}OK|[0-9a-f]{7,12} |\[[\w./-]{1,100}(?: \(root-commit\))? [0-9a-f]{7,12}\] )|(?:\.\.\. ok(?: \(\d{1,9}m?s\))?|\bPASSED(?:\s{1,20}\[\s{0,3}\d{1,3}%\])?|\bPassed\s{1,20}[\d.]{1,12} sec)$/;
const tracebackHeader = /^traceback(?: \(most recent call last\)|:$)/i;
/** `severity: 'ERROR',` of an error printed as an object. */
const levelAlone = /^["']?(?:severity|level|name)["']?: ["']?(?:error|fatal|panic)["']?,?$/i;

/**
 * Counts of failures do not say what failed: `❯ cart.test.ts (5 tests | 1 failed)`, `Found 1 error.`, `Tests
 * run: 3, Failures: 1`.
 */
const failureCount =
  /\b\d{1,9} (?:tests? )?(?:failed|failing|failures?)\b|\bfailed tests? \d|\b\d{1,9} (?:previous )?errors?(?= in | generated\b|[.:,]?$)|\bfailures: ?\d|\bproblems? \(\d{1,9} errors?\b/i;
/** rspec's source line of the failure. */
const failedLine = /^Failure\/Error: /;
/** A failed test in the list of all tests: the reason is elsewhere. */
const listedTest =
  /^FAIL\b(?!:)|(?:\.\.\. (?:FAILED|FAIL|ERROR)|\bFAILED\s{1,20}\[\s{0,3}\d{1,3}%\]|\*\*\*(?:Failed|Exception: \w{1,20}|Not Run)\s{1,20}[\d.]{1,12} sec)$/;
/** Lines that only say that something failed. */
const onlySaysThatItFailed =
  /\*\*\* \[.*\] Error \d|\bld returned \d|\bcould not compile\b|to rerun pass|\bbeing treated as errors|^(?:\[INFO\] )?BUILD FAIL|^FAILURE: Build failed|^FAILED \(|^(?:ERRORS|FAILURES)!$|^Errors (?:while running|parsing) /;
const lesser = [failureCount, failedLine, listedTest, onlySaysThatItFailed];

/** Source quoted at the place of a failure, and stack frames. */
const quotedSource =
  /^(?:[>→]\s{0,20})?(?:(?:raise|throw|def)\b|\d{1,6}\s{0,4}\|)|^File "|^(?:at|❯) \S.*:\d{1,9}\)?$|^\||\^$|^(?:from|#\d{1,4}) |^\d{1,4}: [\w<{].*::|^panic\(|^Error Trace:/;
/** Hints on how to learn more. */
const hint =
  /^(?:(?:hint|help|note): |Some errors have|For more information|To see the full stack trace|Re-run Maven|(?:-> )?\[Help \d)/;
const ruled = /^([=_*!~#⎯─━-])\1{2,}\s.*\s\1{3,}$/;
/** A page in HTML, as tests print it. */
const markup = /<[a-z][\w-]{0,40} [\w-]{1,40}=\\?["']/i;
const least = [quotedSource, hint, ruled, markup];

/** Points of lists in tickets and notes, which tell what shall happen, unless they give an error's text. */
const listPoint =
  /^(?:[-*•] |\d{1,2}[.)] )(?!.*(?:(?:error|exception|fail(?:ed|ure)?|panic|fatal)(?: ?\[[^\]]*\]| [A-Z]{1,6}-?\d+)?:))(?!.*: (?:cannot|not found)).*$/i;

const pytestMark = /^E\s{2}/;
/** Prefixes that pytest, Maven and sanitizers put before error lines. */
const markBefore = /^(?:E\s{2,20}|\[ERROR\]\s{0,20}|==\d{1,10}==\s?)/;
/** The prefix that TAP puts before output of a test file. */
const tapMark = /^#\s{1,8}(?=\w*error\b)/i;
/**
 * Details that differ between runs, such as durations and thread numbers, and additions to a line that occurs
 * without them, too.
 */
const ofTheRun = [
  /^(--- FAIL: \S{1,300}) \([\d.]{1,12}s\)$/,
  /^(thread '[^']{1,300}') \(\d{1,10}\)(?= panicked)/,
  /(),?\s{1,8}Time elapsed: [\d.]{1,12} s(?=\s)/,
  /() \[recovered[^\]]{0,40}\]$/,
];

/** `error: |-` of TAP: the message is on the next lines, indented. */
const opensBlock = /^[\w-]{1,40}: [|>][-+]?$/;
const failedGoTest = /^--- FAIL: /;
const goLine = /^\s{1,40}\S{1,200}\.go:\d{1,9}: /;
/** Maven: the exception is on the next line. */
const failedJavaTest = /<<< (?:FAILURE|ERROR)!$/;
const otherLevel = /^\[(?:INFO|WARNING)\]/;
/** A following line that says where the error is, or what it was. */
const continuation = /^\s{0,20}(?:-->|what\(\):)\s/;
const mayContinue = /:$|[|>][-+]?$|^--- FAIL: |<<< (?:FAILURE|ERROR)!$|cannot find symbol$/;
const mostAnnounced = 3;
/** javac names the symbol on a line of its own. */
const namedBelow = /cannot find symbol$/;
const nameBelow = /^(?:\[ERROR\])?[ \t]{0,8}symbol:[ \t]{1,8}(\S.{0,200})$/m;
const readOfBlock = 600;

const noReports = [reportsNoError, tracebackHeader, levelAlone, listPoint];

/** In this order; lines of the rank `least` are only used when there are no others. */
type Rank = "cause" | "plain" | "lesser" | "least";

export const mostErrorLines = 3;

/**
 * The first lines that report an error, at most three, each once: causes before counts, quoted source and
 * headings. `0 errors` and `no errors` are not reports, nor are names of files and options.
 */
export function errorLines(text: string): string[] {
  const found: Record<Rank, string[]> = { cause: [], plain: [], lesser: [], least: [] };
  const known = new Set<string>();
  const cue = hasMark.test(text) ? errorCueOrMark : errorCue;
  cue.lastIndex = 0;
  for (let match = cue.exec(text); match !== null; match = cue.exec(text)) {
    if (!reportsError(text, match[0], match.index)) continue;
    const lineEnd = endOfLine(text, match.index + match[0].length);
    cue.lastIndex = lineEnd;
    const written = lineAround(text, match.index, lineEnd);
    if (noReports.some((one) => one.test(written))) continue;
    const { line, length } = withWhatFollows(written, text, match.index, lineEnd);
    cue.lastIndex += length;
    if (line === "" || known.has(line)) continue;
    const rank = continuesAbove(text, match.index) ? "least" : rankOf(written, line, found.cause.length > 0);
    if (found[rank].length === mostErrorLines) continue;
    known.add(line);
    found[rank].push(line);
    if (found.plain.length === mostErrorLines) break;
  }
  const isOnlyCounted = found.cause.length + found.plain.length === 0 && found.lesser.length > 0;
  const place = isOnlyCounted ? placeLine(text) : undefined;
  if (place !== undefined) found.plain.push(place);
  const telling = [...new Set([...found.cause, ...found.plain, ...found.lesser])];
  return (telling.length > 0 ? telling : found.least).slice(0, mostErrorLines);
}

/** Whether an error line only counts failures. */
export function countsFailures(line: string): boolean {
  return failureCount.test(line);
}

function reportsError(text: string, cue: string, at: number): boolean {
  if (capitalsOnly.test(cue) && !capitals.test(cue)) return false;
  const end = at + cue.length;
  const before = text.slice(Math.max(0, at - readNear), at);
  if (deniedBefore.test(before) || deniedAfter.test(text.slice(end, end + readNear))) return false;
  if (inOption.test(before)) return false;
  if (/\s$/.test(cue)) return true;
  const [beginning] = text
    .slice(Math.max(0, at - longestWord), at)
    .split(endsWord)
    .slice(-1);
  const [ending] = text.slice(end, end + longestWord).split(endsWord, 1);
  return pathsIn(`${beginning}${cue}${ending}`).length === 0;
}

/** Whether a line continues the error of the line above, as pytest marks several lines of one error. */
function continuesAbove(text: string, at: number): boolean {
  const start = text.lastIndexOf("\n", at - 1);
  if (start < 0 || !pytestMark.test(text.slice(start + 1, start + 4))) return false;
  return pytestMark.test(text.slice(text.lastIndexOf("\n", start - 1) + 1, start).slice(0, 3));
}

function rankOf(written: string, line: string, hasCause: boolean): Rank {
  if (least.some((one) => one.test(written) || one.test(line)) || line.endsWith(":")) return "least";
  if (lesser.some((one) => one.test(line))) return "lesser";
  if (!pytestMark.test(written)) return "plain";
  return hasCause ? "lesser" : "cause";
}

/** A line of an output without markers and details of the run. */
function cleanedLine(written: string): string {
  const plain = written.trim().replace(markBefore, "").replace(tapMark, "");
  return ofTheRun.reduce((line, one) => line.replace(one, "$1"), plain).trim();
}

/** The line with what it announces, and how many characters of the following text that takes. */
function withWhatFollows(
  written: string,
  text: string,
  at: number,
  lineEnd: number,
): { readonly line: string; readonly length: number } {
  const line = cleanedLine(written);
  if (!mayContinue.test(line) && !continuation.test(text.slice(lineEnd + 1, lineEnd + 1 + readNear)))
    return { line, length: 0 };
  const after = withoutHalves(text.slice(lineEnd + 1, lineEnd + 1 + readOfBlock));
  if (opensBlock.test(line)) return withBlock(line, after);
  const following = after.split("\n");
  if (failedGoTest.test(line)) {
    const block = goBlock(text, at, following);
    return { line: [line, ...block.map((one) => one.trim())].join(" "), length: 0 };
  }
  let whole = line;
  let length = 0;
  for (const next of following.slice(0, mostAnnounced)) {
    if (!continuation.test(next) && !tellsMore(whole, next)) break;
    whole = `${whole} ${cleanedLine(next)}`;
    length += next.length + 1;
  }
  if (length > 0) whole = whole.replace(/\s*:$/, "");
  if (!namedBelow.test(whole)) return { line: whole, length };
  const name = nameBelow.exec(after)?.[1];
  return { line: name === undefined ? whole : `${whole}: ${name.trim()}`, length };
}

/** Whether a line announces something that the next one says. */
function tellsMore(line: string, next: string): boolean {
  const more = next.trim();
  if (more === "" || [...least, otherLevel].some((one) => one.test(more))) return false;
  return line.endsWith(":") || (failedJavaTest.test(line) && !more.startsWith("["));
}

/**
 * The line with the block that it opens: the next lines, as long as they have the first one's indentation.
 */
function withBlock(line: string, after: string): { readonly line: string; readonly length: number } {
  const [margin] = /^[ \t]{1,40}/.exec(after) ?? [];
  if (margin === undefined) return { line, length: 0 };
  const following = after.split("\n");
  const end = following.findIndex((next) => next.trim() === "" || !next.startsWith(margin));
  const block = following.slice(0, end < 0 ? following.length : end);
  return {
    line: [line.replace(/ [|>][-+]?$/, ""), ...block.map((next) => next.trim())].join(" "),
    length: block.join("\n").length + 1,
  };
}

/** The messages of a Go test are below its name, or above it in verbose output. */
function goBlock(text: string, at: number, below: readonly string[]): string[] {
  const end = below.findIndex((next) => !goLine.test(next));
  const said = end < 0 ? [...below] : below.slice(0, end);
  if (said.length > 0) return said;
  if (below[0]?.startsWith("panic: ")) return [cleanedLine(below[0])];
  const lineStart = text.lastIndexOf("\n", at) + 1;
  const above = text.slice(Math.max(0, lineStart - readOfBlock), Math.max(0, lineStart - 1)).split("\n");
  const start = above.findLastIndex((one) => !goLine.test(one));
  return failedGoTest.test(above[start]?.trim() ?? "") ? [] : above.slice(start + 1);
}
