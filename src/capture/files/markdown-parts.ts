import { markdownLines } from "./markdown-lines.ts";

/**
 * The parts of a text that a shorter version must keep: headings, addresses, fenced blocks and inline code.
 */
export function essentialParts(text: string): Set<string> {
  const parts = new Set<string>();
  let block: string[] = [];
  let above = "";
  const end = { text: "", content: "", kind: "blank" } as const;
  for (const { text: raw, content, kind } of [...markdownLines(text), end]) {
    const line = raw.replace(/\r$/u, "");
    if (kind === "fence") {
      block.push(line);
      continue;
    }
    if (block.length > 0) parts.add(block.join("\n"));
    block = [];
    if (/^ {0,3}#{1,6}(?:\s|$)/u.test(content)) parts.add(content.trim());
    const [, underline] = /^ {0,3}(=+|-{2,})\s*$/u.exec(content) ?? [];
    if (underline !== undefined && above !== "") parts.add(`${above}\n${underline.charAt(0)}`);
    above = kind === "prose" ? content.trim() : "";
    for (const code of inlineCode(line)) parts.add(code);
    for (const [address] of line.matchAll(/\bhttps?:\/\/[^\s<>"'`)\]]+/gu))
      parts.add(withoutFullStop(address));
  }
  return parts;
}

/** Removes the punctuation that ends a sentence from an address. */
function withoutFullStop(address: string): string {
  let end = address.length;
  while (/[.,;:!?*_]/u.test(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

/** The code spans of a line with their backticks: a span ends at the next run of as many backticks. */
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
