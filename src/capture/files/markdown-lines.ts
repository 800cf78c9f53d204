/*
 * Splits Markdown into lines and tells which of them are code. Code may be inside list items and quotes, so
 * these are tracked as in CommonMark: a line belongs to the containers that it continues by indentation or by
 * a mark, and a fenced block ends with its closing fence or with its container.
 */

export interface MarkdownLine {
  readonly text: string;
  /** The text without the marks of its containers; tabs are expanded there. */
  readonly content: string;
  /** `fence`: inside a fenced block, or one of its fences; `indented`: by four spaces or a tab. */
  readonly kind: "prose" | "blank" | "fence" | "indented";
}

/**
 * A container: a quote, or a list item, given as the number of columns by which its further lines are
 * indented.
 */
type Around = "quote" | number;

/** Deeper than anybody writes; bounds the work for a line of nothing but marks. */
const mostAround = 32;

/** The rest of an opening fence names the language; with backticks in it the line is inline code instead. */
const fenceBegins = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/u;
const quoteMark = /^ {0,3}> ?/u;
const itemMark = /^( {0,3}(?:[-+*]|(\d{1,9})[.)]))( +|$)/u;
const heading = /^ {0,3}#{1,6}(?: |$)/u;
const underline = /^ {0,3}(?:=+|-+) *$/u;
const rule = /^ {0,3}(?:(?:- *){3,}|(?:_ *){3,}|(?:\* *){3,})$/u;
const farIn = /^(?: {4}|\t)/u;

/** The lines of a text, without their line feeds. */
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
    // A paragraph continues on following lines even without the marks of its containers (lazy continuation).
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

/** Expands the tabs of a line, so that indentation can be counted in columns. */
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

/** How many of the containers a line continues, and the rest of the line. */
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

/** The containers that begin on a line, at most `room`, and the rest of the line. */
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

/** The number of columns before the content of the list item that begins here; undefined if none does. */
function itemWidth(rest: string, inParagraph: boolean): number | undefined {
  const [whole, mark, number, blanks] = itemMark.exec(rest) ?? [];
  if (whole === undefined || mark === undefined || blanks === undefined || rule.test(rest)) return undefined;
  const isEmpty = whole.length === rest.length;
  // A paragraph may continue with a number and a dot, or with a single dash.
  if (inParagraph && (isEmpty || (number !== undefined && Number(number) !== 1))) return undefined;
  // More than four spaces are the indentation of code.
  return mark.length + (isEmpty || blanks.length > 4 ? 1 : blanks.length);
}

function beginsBlock(rest: string): boolean {
  return [fenceBegins, quoteMark, itemMark, heading, rule].some((mark) => mark.test(rest));
}

function isEndOf(fence: string, rest: string): boolean {
  const mark = rest.trim();
  return mark.startsWith(fence) && !farIn.test(rest) && mark === fence.charAt(0).repeat(mark.length);
}
