import { countCodePoints, cutCodePoints } from "./code-points.ts";
import { oneLine, oneLineOfWords } from "./cut.ts";
import { scriptPattern } from "./script-pattern.ts";
import { sentenceStops } from "./sentence-ends.ts";

/*
 * A sentence ends with . ! ? or … before white space, with their equivalents in other scripts, or with a
 * full-width form anywhere. So the dots in `src/main.ts`, `v1.2.3` and `example.org` never end one; nor does
 * a dot after an abbreviation, an initial or a list number, or inside `inline code`. A line break ends a
 * sentence, unless the next line continues in lower case (wrapped text). Fenced code is not prose and yields
 * nothing.
 */

const abbreviations = new Set(
  "e.g i.e eg ie vs cf mr mrs ms dr prof approx resp incl ca viz al bzw z.b d.h u.a ggf inkl evtl p.ex p.ej т.е т.к".split(
    " ",
  ),
);
const numberedAbbreviations = new Set("no nr fig sec ch p pp vol ver v".split(" "));
/** `am 1. Januar`, and the short forms. */
const dayOfMonth = /^(?:[12]?\d|3[01])$/;
const germanMonth =
  /^\s(?:Jan(?:uar|\.)|Jänner|Feb(?:ruar|\.)|März|Apr(?:il|\.)|Mai|Jun[i.]|Jul[i.]|Aug(?:ust|\.)|Sep(?:tember|t?\.)|Okt(?:ober|\.)|Nov(?:ember|\.)|Dez(?:ember|\.))(?![a-z])/;
const fence = /^(?:```|~~~)/;
const blockMark = /^(?:[-*+•>]|#{1,6}|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const codeOrTerminator = new RegExp(`\`[^\`]*\`|[${sentenceStops}]`, "g");
const closers = "\"'”’“)]»«`*_」』）】》";
const hasMark = new RegExp(`[${sentenceStops}:;,][${closers.replace("]", "\\]")}]*$`);
const longestAbbreviation = 12;
/**
 * `z. B.`, `p. ex.`, `т. е.`: recognise an abbreviation of two parts from its first dot, and from its second.
 */
const secondFollows = scriptPattern(String.raw`^\s(?:\p{L}|e[jx])\.(?:\s|$)`);
const afterFirst = scriptPattern(String.raw`(?:^|[\s("'\[])\p{Ll}\.\s(?:\p{L}|e[jx])$`);

const letterOrDigit = scriptPattern(String.raw`[\p{L}\p{N}]`);
const smallLetter = scriptPattern(String.raw`\p{Ll}`);
const oneSmallLetter = scriptPattern(String.raw`^\p{Ll}$`);
const capital = scriptPattern(String.raw`\p{Lu}`);
const oneCapital = scriptPattern(String.raw`^\p{Lu}$`);
const goesOn = scriptPattern(String.raw`^[\p{Ll}(]`);

/** The sentences of a text, trimmed, in order. Lazy, so that a caller can stop early. */
export function* sentencesOf(text: string): Generator<string> {
  // Lines are joined at the end: joining each at once would take quadratic time.
  let paragraph: string[] = [];
  let fenced = false;
  for (const rawLine of linesOf(text)) {
    const line = rawLine.trim();
    if (fence.test(line)) {
      fenced = !fenced;
      yield* sentencesOfParagraph(paragraph.join(" "));
      paragraph = [];
    } else if (!fenced) {
      const before = paragraph.at(-1) ?? "";
      if (before !== "" && goesOn(line.slice(0, 2)).test(line) && !before.endsWith(":")) {
        paragraph.push(line);
      } else {
        yield* sentencesOfParagraph(paragraph.join(" "));
        paragraph = [line.replace(blockMark, "")];
      }
    }
  }
  yield* sentencesOfParagraph(paragraph.join(" "));
}

/**
 * The first sentence on one line of at most `maxLength` code points; if the text is all code, its first line.
 */
export function firstSentence(text: string, maxLength: number): string {
  const start = beginningOf(text);
  const [first] = worded(start);
  if (first !== undefined) return oneLineOfWords(first, maxLength);
  for (const line of linesOf(start)) {
    const plain = line.trim();
    if (plain !== "" && !fence.test(plain)) return oneLineOfWords(plain, maxLength);
  }
  return "";
}

/**
 * As many of the first sentences as fit on one line of at most `maxLength` code points, but at least the first. Items
 * of lists and other sentences without a mark at their end are set apart by semicolons.
 */
export function firstSentences(text: string, maxLength: number): string {
  let line = "";
  for (const sentence of worded(beginningOf(text))) {
    const longer = `${line}${line === "" ? "" : hasMark.test(line) ? " " : "; "}${sentence}`;
    if (countCodePoints(longer) > maxLength) break;
    line = longer;
  }
  return line === "" ? firstSentence(text, maxLength) : oneLine(line, maxLength);
}

function beginningOf(text: string): string {
  return cutCodePoints(text.trimStart(), 4096);
}

/** The sentences that contain a letter or a digit. */
function* worded(text: string): Generator<string> {
  for (const sentence of sentencesOf(text)) if (letterOrDigit(sentence).test(sentence)) yield sentence;
}

function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

function* sentencesOfParagraph(paragraph: string): Generator<string> {
  let start = 0;
  let from = 0;
  for (;;) {
    codeOrTerminator.lastIndex = from;
    const match = codeOrTerminator.exec(paragraph);
    if (match === null) break;
    from = codeOrTerminator.lastIndex;
    if (match[0].startsWith("`")) continue;
    let end = match.index;
    while (end < paragraph.length && sentenceStops.includes(paragraph.charAt(end))) end += 1;
    const marks = paragraph.slice(match.index, end);
    while (end < paragraph.length && closers.includes(paragraph.charAt(end))) end += 1;
    from = end;
    if (endsSentence(paragraph, start, match.index, marks, end)) {
      const sentence = paragraph.slice(start, end).trim();
      start = end;
      if (sentence !== "") yield sentence;
    }
  }
  const rest = paragraph.slice(start).trim();
  if (rest !== "") yield rest;
}

function endsSentence(text: string, start: number, markAt: number, marks: string, end: number): boolean {
  if (/[。！？]/.test(marks) || end >= text.length) return true;
  if (!/\s/.test(text.charAt(end))) return false;
  const after = text.slice(end, end + 12);
  const next = after.trimStart().charAt(0);
  if (marks === "…" || marks.startsWith("..")) return !smallLetter(next).test(next);
  if (marks !== ".") return true;
  const before = text.slice(Math.max(start, markAt - longestAbbreviation), markAt);
  const asWritten = before.split(/[\s("'[]/).at(-1) ?? "";
  const word = asWritten.toLowerCase();
  if (abbreviations.has(word) || afterFirst(before).test(before)) return false;
  if (oneSmallLetter(asWritten).test(asWritten) && secondFollows(after).test(after)) return false;
  if (dayOfMonth.test(word) && germanMonth.test(after)) return false;
  if (word === "etc" || word === "usw") return !smallLetter(next).test(next);
  if (numberedAbbreviations.has(word)) return !/\d/.test(next);
  if (oneCapital(asWritten).test(asWritten)) return asWritten === "I" || !capital(next).test(next);
  const opensWithNumber = /^\d{1,3}$/.test(text.slice(start, Math.min(markAt, start + 8)).trim());
  return !opensWithNumber;
}
