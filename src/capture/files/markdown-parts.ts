/*
 * A Markdown text by its lines, as far as it matters what is code: fenced blocks, and lines that are indented far
 * enough to be code.
 */

export interface MarkdownLine {
  readonly text: string;
  /** `fence`: inside a fenced block or one of its fences; `indented`: four blanks or a tab in front. */
  readonly kind: "prose" | "blank" | "fence" | "indented";
}

const opening = /^ {0,3}(`{3,}|~{3,})/u;

/** The lines of a text, without the line feeds between them. */
export function markdownLines(text: string): MarkdownLine[] {
  let fence: string | undefined;
  return text.split("\n").map((line): MarkdownLine => {
    const mark = opening.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
      return { text: line, kind: "fence" };
    }
    if (mark !== undefined) {
      fence = mark;
      return { text: line, kind: "fence" };
    }
    if (line.trim() === "") return { text: line, kind: "blank" };
    return { text: line, kind: /^(?: {4}|\t)/u.test(line) ? "indented" : "prose" };
  });
}

/** What a shorter version of a text must still have: headings, addresses, fenced blocks and inline code. */
export function essentialParts(text: string): Set<string> {
  const parts = new Set<string>();
  let block: string[] = [];
  let above = "";
  for (const { text: raw, kind } of [...markdownLines(text), { text: "", kind: "blank" as const }]) {
    const line = raw.replace(/\r$/u, "");
    if (kind === "fence") {
      block.push(line);
      continue;
    }
    if (block.length > 0) parts.add(block.join("\n"));
    block = [];
    if (/^ {0,3}#{1,6}(?:\s|$)/u.test(line)) parts.add(line.trim());
    if (/^ {0,3}(?:=+|-{2,})\s*$/u.test(line) && above !== "") parts.add(above);
    above = kind === "prose" ? line.trim() : "";
    for (const code of inlineCode(line)) parts.add(code);
    for (const [address] of line.matchAll(/\bhttps?:\/\/[^\s<>"'`)\]]+/gu)) parts.add(address);
  }
  return parts;
}

/** What stands between two runs of as many backticks each, with these. */
function inlineCode(line: string): string[] {
  const runs = Array.from(line.matchAll(/`+/gu), ({ 0: { length }, index }) => ({ length, index }));
  const nearest = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length = 0 } = runs[at] ?? {};
    closing[at] = nearest.get(length) ?? -1;
    nearest.set(length, at);
  }
  const found: string[] = [];
  for (let at = 0; at < runs.length; at++) {
    const start = runs[at];
    const end = runs[closing[at] ?? -1];
    if (start === undefined || end === undefined) continue;
    found.push(line.slice(start.index, end.index + end.length));
    at = closing[at] ?? at;
  }
  return found;
}
