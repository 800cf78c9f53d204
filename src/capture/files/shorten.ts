import { type MarkdownLine, markdownLines } from "./markdown-lines.ts";

/** A shorter paragraph may well be said twice on purpose. */
const shortestRepeat = 80;

/**
 * A Markdown text without what says nothing: blanks at the ends of lines, runs of empty lines, and paragraphs that
 * stand in it already. Code stays as it is.
 */
export function shortenMarkdown(text: string): string {
  const seen = new Set<string>();
  const kept: MarkdownLine[] = [];
  /** The last of them that is not blank. */
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

/** Runs of lines between blank ones; a blank line is a run of its own, and so is each run of code. */
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

/** A blank line after another, or at the beginning. Between indented lines blank ones may belong to the code. */
function isSurplus(before: MarkdownLine | undefined, said: MarkdownLine | undefined): boolean {
  return before === undefined || (before.kind === "blank" && said?.kind !== "indented");
}
