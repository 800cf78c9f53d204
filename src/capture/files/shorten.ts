import { type MarkdownLine, markdownLines } from "./markdown-lines.ts";

/** Shorter paragraphs may be repeated on purpose. */
const shortestRepeat = 80;

/**
 * Shortens Markdown by rules: removes trailing blanks, surplus empty lines, and paragraphs that occurred
 * before. Code stays as it is.
 */
export function shortenMarkdown(text: string): string {
  const seen = new Set<string>();
  const kept: MarkdownLine[] = [];
  /** The last kept line that is not blank. */
  let said: MarkdownLine | undefined;
  for (const paragraph of paragraphsOf(markdownLines(text))) {
    const trimmed = paragraph.map(withoutTrailingBlanks);
    if (isRepeat(trimmed, seen)) continue;
    for (const line of trimmed) {
      if (line.kind === "blank" && isSurplus(kept.at(-1), said)) continue;
      kept.push(line);
      if (line.kind !== "blank") said = line;
    }
  }
  while (kept.at(-1)?.kind === "blank") kept.pop();
  const end = text.endsWith("\r\n") ? "\r\n" : text.endsWith("\n") ? "\n" : "";
  return `${kept
    .map((line) => line.text)
    .join("\n")
    .replace(/\r$/u, "")}${kept.length === 0 ? "" : end}`;
}

/** Groups lines into paragraphs; each blank line is a group of its own, and so is each run of code. */
function paragraphsOf(lines: readonly MarkdownLine[]): MarkdownLine[][] {
  const paragraphs: MarkdownLine[][] = [];
  for (const line of lines) {
    const current = paragraphs.at(-1);
    if (current !== undefined && current[0]?.kind === line.kind && line.kind !== "blank") current.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs;
}

function withoutTrailingBlanks(line: MarkdownLine): MarkdownLine {
  if (line.kind !== "prose" && line.kind !== "blank") return line;
  return { ...line, text: `${line.text.trimEnd()}${line.text.endsWith("\r") ? "\r" : ""}` };
}

function isRepeat(paragraph: readonly MarkdownLine[], seen: Set<string>): boolean {
  if (paragraph[0]?.kind !== "prose") return false;
  const text = paragraph.map((line) => line.text.trimEnd()).join("\n");
  if ([...text].length < shortestRepeat) return false;
  if (seen.has(text)) return true;
  seen.add(text);
  return false;
}

/**
 * Whether a blank line follows another or comes first. Between indented lines it is kept: it may belong to
 * the code.
 */
function isSurplus(before: MarkdownLine | undefined, said: MarkdownLine | undefined): boolean {
  return before === undefined || (before.kind === "blank" && said?.kind !== "indented");
}
