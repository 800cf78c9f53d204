import { pathsIn } from "../../../text/paths-in-text.ts";
import { beginsTraceback, isNoReport, type Rank, saysLeast, saysLittle } from "./error-line-ranks.ts";
import { failedDartTests } from "./failed-dart-tests.ts";
import { cleanedLine, withWhatFollows } from "./following-lines.ts";
import { endOfLine, lineAround, placeLine } from "./output-lines.ts";
import { linesOfGo, lintedPlace, withPlaceAbove } from "./reported-place.ts";

/*
 * Finds error messages in the output of tools, in the formats of compilers, test runners and linters of many
 * languages. A line with a cue word may report an error; lines that say what went wrong come first. Every
 * search is linear.
 */

/** `FAIL:` of test runners and `CONFLICT (` of git are in capitals. */
const cues =
  "error|exception|fail(?:ed|ure:|:)|panic|fatal|traceback|cannot|not found|undefined reference|segmentation fault|terminate called|npm err!|conflict \\(";
const errorCue = new RegExp(cues, "gi");
const hasCue = new RegExp(cues, "i");
/**
 * How error lines without such a word begin: with `E` those of pytest and apt, with `e:` those of Kotlin, those of jest
 * with the call that compares values, and Gradle's below a heading. Outputs without such lines are searched ten times
 * as fast.
 */
const errorCueOrMark = new RegExp(
  `${cues}|^E(?::|[ \\t]{1,19})[ \\t](?=\\S)|^ {4}expect(?=\\((?:received|element|jest\\.fn\\(\\))\\))|^\\* what went wrong:`,
  "gim",
);
const hasMark = /^(?:E[: ]|e: | {4}expect\(|\* What went wrong:)/m;
const capitalsOnly = /^(?:fail:|conflict \(|e\W+)$/i;
const capitals = /^(?:FAIL|CONFLICT|E)/;
const ofKotlin = /^e: (?:file:|[a-z]:|\/)/i;
/** `0 tests failed`, `no syntax errors`. */
const deniedBefore = /(?:^|\W)(?:0|no|zero|without)[ \t](?:[a-z]{1,12}[ \t])?$/i;
const deniedAfter = /^s?[ \t]{0,8}[:=][ \t]{0,8}0(?!\w)/i;
/** `"errorCount":0`, `"error":null`, `error: None` of answers as data. */
const deniedValue =
  /^\w{0,30}["']?\s{0,8}[:=]\s{0,8}(?:0|null|none|nil|false|undefined|\(none\)|""|''|\[\]|\{\})(?= {0,8}(?:[,;)}\]\r\n]|$))/i;
/** `-Werror`, `--fatal-warnings` in a command that is echoed. */
const inOption = /(?:^|[\s[])-{1,2}[\w=-]*$/;
const readNear = 40;
const longestWord = 120;
const endsWord = /[\s"'`<>|,;=]/;

const pytestMark = /^E\s{2}/;
/** Markers below quoted source. */
const pointers = /^[ \t]{0,300}[~^]{1,200}\s*$/;
/** What Python says that was raised, such as `KeyboardInterrupt`. */
const raised = /^[A-Za-z_][\w.]{2,200}(?::\s|$)/;

export const mostErrorLines = 3;

/**
 * The first lines that report an error, at most three, each once: causes before counts, quoted source and
 * headings. `0 errors` and `no errors` are not reports, nor are names of files and options.
 */
export function errorLines(output: string): string[] {
  const text = withoutExamples(output);
  const found: Record<Rank, string[]> = { cause: [], plain: [], lesser: [], least: [] };
  const known = new Set<string>();
  // Lines as they are written, unless what is around them makes a difference.
  const said = new Set<string>();
  const add = (line: string, rank: Rank): void => {
    if (line === "" || known.has(line) || found[rank].length === mostErrorLines) return;
    known.add(line);
    found[rank].push(line);
  };
  const cue = hasMark.test(text) ? errorCueOrMark : errorCue;
  cue.lastIndex = 0;
  for (let match = cue.exec(text); match !== null; match = cue.exec(text)) {
    if (!reportsError(text, match[0], match.index)) continue;
    const lineEnd = endOfLine(text, match.index + match[0].length);
    cue.lastIndex = lineEnd;
    const written = lineAround(text, match.index, lineEnd);
    if (said.has(written)) continue;
    if (beginsTraceback(written)) add(raisedBelow(text, lineEnd), "plain");
    const cleaned = cleanedLine(written);
    if (isNoReport(written) || (cleaned !== written && isNoReport(cleaned))) continue;
    const { line, length } = withWhatFollows(cleaned, text, match.index, lineEnd);
    cue.lastIndex += length;
    const rank = isPartOfAnother(text, match.index, lineEnd)
      ? "least"
      : rankOf(written, line, found.cause.length > 0);
    const whole = rank === "plain" ? withPlaceAbove(line, text, match.index) : line;
    add(whole, rank);
    if (whole === cleaned) said.add(written);
    if (found.plain.length === mostErrorLines) break;
  }
  const isOnlyCounted = found.cause.length + found.plain.length === 0 && found.lesser.length > 0;
  const place = isOnlyCounted ? (placeLine(text) ?? lintedPlace(text)) : undefined;
  if (place !== undefined) found.plain.push(place);
  const named = [...linesOfGo(text), ...failedDartTests(text)];
  const telling = [...new Set([...found.cause, ...named, ...found.plain, ...found.lesser])];
  return (telling.length > 0 ? telling : found.least).slice(0, mostErrorLines);
}

/** rspec lists the examples that passed without any mark. */
const examplesRan = /^\d{1,9} examples?, \d/m;
const failuresBegin = /^Failures:\r?$/m;

function withoutExamples(output: string): string {
  const from = output.includes(" example") && examplesRan.test(output) ? output.search(failuresBegin) : -1;
  return from < 0 ? output : output.slice(from);
}

function reportsError(text: string, cue: string, at: number): boolean {
  if (capitalsOnly.test(cue) && !capitals.test(cue)) return ofKotlin.test(text.slice(at, at + readNear));
  const end = at + cue.length;
  const before = text.slice(Math.max(0, at - readNear), at);
  const after = text.slice(end, end + readNear);
  if (deniedBefore.test(before) || deniedAfter.test(after) || deniedValue.test(after)) return false;
  if (inOption.test(before)) return false;
  if (/\s$/.test(cue)) return true;
  const [beginning] = text
    .slice(Math.max(0, at - longestWord), at)
    .split(endsWord)
    .slice(-1);
  const [ending] = text.slice(end, end + longestWord).split(endsWord, 1);
  return pathsIn(`${beginning}${cue}${ending}`).length === 0;
}

/** Whether a line continues the error of the line above, as pytest marks several lines of one error, or is source. */
function isPartOfAnother(text: string, at: number, lineEnd: number): boolean {
  if (pointers.test(text.slice(lineEnd + 1, endOfLine(text, lineEnd + 1)))) return true;
  const start = text.lastIndexOf("\n", at - 1);
  if (start < 0 || !pytestMark.test(text.slice(start + 1, start + 4))) return false;
  return pytestMark.test(text.slice(text.lastIndexOf("\n", start - 1) + 1, start).slice(0, 3));
}

/**
 * What was raised, below the traceback that begins in the line above `from`: the first line that is not indented.
 * Empty if it has a cue word, by which it is found anyway.
 */
function raisedBelow(text: string, from: number): string {
  let start = from + 1;
  while (/[ \t]/.test(text.charAt(start))) start = endOfLine(text, start) + 1;
  const line = cleanedLine(text.slice(start, Math.min(endOfLine(text, start), start + 300)));
  return raised.test(line) && !hasCue.test(line) ? line : "";
}

function rankOf(written: string, line: string, hasCause: boolean): Rank {
  if (saysLeast(written) || (line !== written && saysLeast(line)) || line.endsWith(":")) return "least";
  if (saysLittle(line)) return "lesser";
  if (!pytestMark.test(written)) return "plain";
  return hasCause ? "lesser" : "cause";
}
