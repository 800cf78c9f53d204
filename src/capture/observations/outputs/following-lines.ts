import { withoutHalves } from "../../../text/cut.ts";
import { saysLeast } from "./error-line-ranks.ts";

/* Error lines that are continued: with what the lines below, or above, say about the same error. */

/** Prefixes that pytest, Maven, sanitizers, Terraform, logs and Docker's builds put before error lines. */
const markBefore =
  /^(?:E\s{2,20}|\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]{1,4}|\[ERROR\]\s{0,20}|==\d{1,10}==\s?|[│┃]\s{1,4}|[EF]\d{4} [\d:.]{8,16} {1,8}\d{1,8} |(?:#\d{1,4} )?\d{1,5}\.\d{1,4} (?=[a-z\d./]))/i;
/** The prefix that TAP puts before output of a test file. */
const tapMark = /^#\s{1,8}(?=\w*error\b)/i;
/**
 * Details that differ between runs, such as durations and thread numbers, and additions to a line that occurs
 * without them, too.
 */
const ofTheRun = [
  /^(--- FAIL: \S{1,300}) \([\d.]{1,12}s\)$/,
  /^(thread '[^']{1,300}') \(\d{1,10}\)(?= panicked)/,
  /()(?: --|,)?\s{1,8}Time elapsed: [\d.]{1,12} s(?=\s)/,
  /() \[recovered[^\]]{0,40}\]$/,
  /^(expect\(.{1,200}\)) \/\/ [\w. ]{1,40}$/,
  /^(\[\s{0,3}FAILED\s{0,3}\] \S{1,300}) \(\d{1,9} ms\)$/,
  /^(Failed \S{1,300}) \[(?:< )?\d[\d.,]{0,12} m?s\]$/,
];

/** `error: |-` of TAP: the message is on the next lines, indented. */
const opensBlock = /^[\w-]{1,40}: [|>][-+]?$/;
const failedGoTest = /^--- FAIL: /;
const goLine = /^\s{1,40}\S{1,200}\.go:\d{1,9}: /;
/** Maven: the exception is on the next line. */
const failedJavaTest = /<<< (?:FAILURE|ERROR)!$/;
/** webpack, GHC and Clojure: the message is on the next line. */
const announces =
  /^ERROR in \S|: error: \[GHC-\d{1,9}\]$|^(?:Execution|Syntax) error \S.{0,200} at .{0,200}\)\.$/;
/** .NET: the message is below a heading. */
const failedNetTest = /^Failed \S{1,300}$/;
const messageBelow = /^\s{0,8}Error Message:\r?\n\s{1,8}(\S.{0,300})/;
const otherLevel = /^\[(?:INFO|WARNING)\]/;
/** A following line that says where the error is, or what it was. */
const continuation = /^\s{0,20}(?:-->|what\(\):)\s/;
const mostAnnounced = 3;
/** javac names the symbol on a line of its own. */
const namedBelow = /cannot find symbol$/;
const nameBelow = /^(?:\[ERROR\])?[ \t]{0,8}symbol:[ \t]{1,8}(\S.{0,200})$/m;
/** Node's assertions leave a line blank before the two values. */
const comparesBelow = /^AssertionError\b.*:$/;
const blankLine = /^[ \t]*\r?\n/;
/** jest, bun and rspec print the two values below the call. */
const expectation = /^(?:error: )?expect\(|^Failure\/Error: /;
const comparedValue = /^[ \t]{0,20}((?:Expected|Received|expected|got)\b[^:\n]{0,40}:.{1,100})$/gm;
/** Gradle gives the cause on the line below what failed. */
const whatWentWrong = /^\* What went wrong:$/;
const wrongAndCause = /^(.{1,300})(?:\r?\n {0,8}(> .{1,300}))?/;
/** Terraform and esbuild leave a line blank before the place. */
const placeBelow =
  /^[│┃ \t]{0,4}\r?\n(?:[│┃ \t]{1,8}with [^\n]{1,300},\r?\n)?(?:[│┃ \t]{1,8}on (\S{1,300} line \d{1,9})|[ \t]{4}(\S{1,300}:\d{1,9}:\d{1,9}):\r?$)/m;
const mayHavePlaceBelow = /^Error: |^✘ \[ERROR\] /;
const mayBeContinued = [
  /:$|[|>][-+]?$|^--- FAIL: |<<< (?:FAILURE|ERROR)!$|cannot find symbol$/,
  expectation,
  mayHavePlaceBelow,
  announces,
  failedNetTest,
];
const readOfBlock = 600;
const readNear = 40;

/** A line of an output without markers and details of the run. */
export function cleanedLine(written: string): string {
  const plain = written.trim().replace(markBefore, "").replace(tapMark, "");
  return ofTheRun.reduce((line, one) => line.replace(one, "$1"), plain).trim();
}

interface ContinuedLine {
  readonly line: string;
  /** How many characters of the following text it takes. */
  readonly length: number;
}

/** A cleaned line, which stands in the text from `at` to `lineEnd`, with what it announces. */
export function withWhatFollows(line: string, text: string, at: number, lineEnd: number): ContinuedLine {
  const isContinued = continuation.test(text.slice(lineEnd + 1, lineEnd + 1 + readNear));
  if (!isContinued && !mayBeContinued.some((one) => one.test(line))) return { line, length: 0 };
  const after = withoutHalves(text.slice(lineEnd + 1, lineEnd + 1 + readOfBlock));
  if (opensBlock.test(line)) return withBlock(line, after);
  if (whatWentWrong.test(line)) {
    const [found, wrong = "", cause = ""] = wrongAndCause.exec(after) ?? [];
    return { line: `${wrong.trim()} ${cause}`.trim(), length: found?.length ?? 0 };
  }
  if (expectation.test(line)) return { line: withValues(line, after), length: 0 };
  if (mayHavePlaceBelow.test(line)) {
    const [, read, bundled] = placeBelow.exec(after) ?? [];
    const place = read ?? bundled;
    return { line: place === undefined ? line : `${line} (${place})`, length: 0 };
  }
  if (failedNetTest.test(line)) {
    const [found, message] = messageBelow.exec(after) ?? [];
    return found === undefined
      ? { line, length: 0 }
      : { line: `${line}: ${message?.trim()}`, length: found.length + 1 };
  }
  const following = after.split("\n");
  if (failedGoTest.test(line)) {
    const block = goBlock(text, at, following);
    return { line: [line, ...block.map((one) => one.trim())].join(" "), length: 0 };
  }
  if (comparesBelow.test(line) && blankLine.test(after)) {
    const [, value = ""] = after.replace(/\r/g, "").split("\n", 2);
    return { line: `${line} ${value.trim()}`.trim(), length: 0 };
  }
  return withAnnounced(line, after, following);
}

function withAnnounced(line: string, after: string, following: readonly string[]): ContinuedLine {
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
  if (more === "" || saysLeast(more) || otherLevel.test(more)) return false;
  return line.endsWith(":") || announces.test(line) || (failedJavaTest.test(line) && !more.startsWith("["));
}

/** The line with the block that it opens: the next lines that are blank or have the first one's indentation. */
function withBlock(line: string, after: string): ContinuedLine {
  const [margin] = /^[ \t]{1,40}/.exec(after) ?? [];
  if (margin === undefined) return { line, length: 0 };
  const following = after.split("\n");
  const end = following.findIndex((next) => next.trim() !== "" && !next.startsWith(margin));
  const block = following.slice(0, end < 0 ? following.length : end);
  const said = block.map((next) => next.trim()).filter((next) => next !== "");
  return {
    line: [line.replace(/ [|>][-+]?$/, ""), ...said].join(" "),
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

function withValues(line: string, after: string): string {
  const values = [...after.matchAll(comparedValue)].slice(0, 2).map(([, value = ""]) => value.trim());
  return [line, ...values].join(" ");
}
