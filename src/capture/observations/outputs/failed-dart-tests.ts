import { withoutHalves } from "../../../text/cut.ts";

/* What Dart's and Flutter's test runner prints of tests that failed: the name, and below it, indented, the reason. */

/** `00:02 +7 ~1 -1: the cart takes VAT off [E]`; a file that cannot be loaded is reported by its own lines. */
const failed = /^\d\d:\d\d \+\d{1,6}(?: ~\d{1,6})? -\d{1,6}: (?!loading )(.{1,300}) \[E\]\r?\n/gm;
const frame = /^(?:(?:package|dart|file):\S*|\S{1,300}\.dart) {1,80}/;
const comparison = /^(?:Expected|Actual|Which): /;
/** Flutter prints the exception of a test of widgets before the name of the test. */
const toldAbove = /^Test failed\. See exception logs above\.$/;
const thrown = "The following ";
const announcement = /^The following .{1,200} was thrown[^\n]{0,200}:\r?$/;
const mostTests = 3;
const readOfReason = 1000;

/** The first failed tests of an output, each with its reason; none for other outputs. */
export function failedDartTests(output: string): string[] {
  if (!output.includes(" [E]")) return [];
  const found: string[] = [];
  failed.lastIndex = 0;
  for (let match = failed.exec(output); match !== null; match = failed.exec(output)) {
    const [whole, name = ""] = match;
    const end = match.index + whole.length;
    const told = reasonIn(output.slice(end, end + readOfReason));
    const reason = toldAbove.test(told) ? exceptionAbove(output, match.index) : told;
    found.push(reason === "" ? name : `${name}: ${reason}`);
    if (found.length === mostTests) break;
  }
  return found;
}

/** The first line of a reason, or all lines of a comparison. */
function reasonIn(block: string): string {
  const lines = withoutHalves(block)
    .split("\n")
    .map((line) => line.trim());
  const [first = ""] = lines;
  if (frame.test(first)) return "";
  if (!comparison.test(first)) return first;
  const end = lines.findIndex((line) => !comparison.test(line));
  return lines.slice(0, end < 0 ? lines.length : end).join(" ");
}

function exceptionAbove(output: string, at: number): string {
  const begin = output.lastIndexOf(thrown, at);
  if (begin < 0) return "";
  const block = output.slice(begin, Math.min(at, begin + readOfReason));
  const headerEnd = block.indexOf("\n");
  return announcement.test(block.slice(0, headerEnd)) ? reasonIn(block.slice(headerEnd + 1)) : "";
}
