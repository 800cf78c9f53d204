/*
 * A Markdown text by its lines, as far as it matters what is code. Code may stand in list items and in quotes, so
 * these are followed in the way of CommonMark: a line belongs to those that it goes on with, by indentation or by a
 * mark of its own, and a fenced block ends with its second fence or with the item or quote that it stands in.
 */

export interface MarkdownLine {
  readonly text: string;
  /** The same without the marks of lists and quotes around it; tabs are blanks there. */
  readonly content: string;
  /** `fence`: inside a fenced block or one of its fences; `indented`: four blanks or a tab in front. */
  readonly kind: "prose" | "blank" | "fence" | "indented";
}

/** What a block stands in: a quote, or a list item with the columns that its further lines are indented by. */
type Around = "quote" | number;

/** Deeper than anybody writes; a line of nothing but marks would take its time. */
const mostAround = 32;

/** What is between the fence and the end of a line names the language; with backticks in it this is inline code. */
const fenceBegins = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/u;
const quoteMark = /^ {0,3}> ?/u;
const itemMark = /^( {0,3}(?:[-+*]|(\d{1,9})[.)]))( +|$)/u;
const heading = /^ {0,3}#{1,6}(?: |$)/u;
const underline = /^ {0,3}(?:=+|-+) *$/u;
const rule = /^ {0,3}(?:(?:- *){3,}|(?:_ *){3,}|(?:\* *){3,})$/u;
const farIn = /^(?: {4}|\t)/u;

/** The lines of a text, without the line feeds between them. */
export function markdownLines(text: string): MarkdownLine[] {
  let around: readonly Around[] = [];
  let fence: string | undefined;
  let inParagraph = false;
  return text.split("\n").map((line): MarkdownLine => {
    const { depth, rest } = goneOnWith(around, inColumns(line));
    const goesOn = depth === around.length;
    if (fence !== undefined && goesOn) {
      if (isEndOf(fence, rest)) fence = undefined;
      return { text: line, content: rest, kind: "fence" };
    }
    fence = undefined;
    // A paragraph takes up the lines that follow it, with the marks of what it stands in or without.
    const isLazy = !goesOn && inParagraph && rest.trim() !== "" && !beginsBlock(rest);
    const begun = isLazy ? { around: [], rest } : begunBy(rest, mostAround - depth, goesOn && inParagraph);
    if (!isLazy) around = [...around.slice(0, depth), ...begun.around];
    const content = begun.rest;
    const [, backticks, tildes] = fenceBegins.exec(content) ?? [];
    fence = backticks ?? tildes;
    if (fence !== undefined) {
      inParagraph = false;
      return { text: line, content, kind: "fence" };
    }
    const isCode = farIn.test(content) && !(inParagraph && begun.around.length === 0);
    inParagraph =
      content.trim() !== "" && !isCode && ![heading, underline, rule].some((one) => one.test(content));
    if (line.trim() === "") return { text: line, content, kind: "blank" };
    return { text: line, content, kind: farIn.test(line) || isCode ? "indented" : "prose" };
  });
}

/** A line with its tabs as blanks, so that indentation can be counted. */
function inColumns(line: string): string {
  const pieces = line.replace(/\r$/u, "").split("\t");
  const last = pieces.pop() ?? "";
  let text = "";
  for (const piece of pieces) {
    text += piece;
    text += " ".repeat(4 - (text.length % 4));
  }
  return text + last;
}

/** How many of the items and quotes a line goes on with, and what else is on it. */
function goneOnWith(around: readonly Around[], line: string): { depth: number; rest: string } {
  let rest = line;
  for (const [depth, one] of around.entries()) {
    const isBlank = rest.trim() === "";
    const mark = one === "quote" ? quoteMark.exec(rest)?.[0].length : one;
    if (mark === undefined) return { depth, rest };
    if (one !== "quote" && !isBlank && !rest.startsWith(" ".repeat(one))) return { depth, rest };
    rest = rest.slice(mark);
  }
  return { depth: around.length, rest };
}

/** The items and quotes that begin on a line, at most as many as there is `room` for, and what else is on it. */
function begunBy(line: string, room: number, inParagraph: boolean): { around: Around[]; rest: string } {
  const around: Around[] = [];
  let rest = line;
  while (around.length < room) {
    const quote = quoteMark.exec(rest)?.[0];
    const width = quote?.length ?? itemWidth(rest, inParagraph && around.length === 0);
    if (width === undefined) break;
    around.push(quote === undefined ? width : "quote");
    rest = rest.slice(width);
  }
  return { around, rest };
}

/** The columns before the content of a list item that begins here. */
function itemWidth(rest: string, inParagraph: boolean): number | undefined {
  const [whole, mark, number, blanks] = itemMark.exec(rest) ?? [];
  if (whole === undefined || mark === undefined || blanks === undefined || rule.test(rest)) return undefined;
  const isEmpty = whole.length === rest.length;
  // A sentence may well go on with a year, or with a dash alone.
  if (inParagraph && (isEmpty || (number !== undefined && Number(number) !== 1))) return undefined;
  // More blanks than four are the indentation of code.
  return mark.length + (isEmpty || blanks.length > 4 ? 1 : blanks.length);
}

function beginsBlock(rest: string): boolean {
  return [fenceBegins, quoteMark, itemMark, heading, rule].some((mark) => mark.test(rest));
}

function isEndOf(fence: string, rest: string): boolean {
  const mark = rest.trim();
  return mark.startsWith(fence) && !farIn.test(rest) && mark === fence.charAt(0).repeat(mark.length);
}
