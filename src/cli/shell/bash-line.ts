/*
 * A line as bash completes it. Bash passes the line as it was typed, and the part of its last word that a candidate
 * replaces: of `bob@lap` that is `@lap`, of `area:pay` it is `pay`, of `"web s` it is `web s`.
 */

/** Quotes that are open where the cursor is. */
type Quote = '"' | "'" | undefined;

interface BashLine {
  /** The words after the command, as the command would get them. */
  readonly words: readonly string[];
  /** What of the last word stays in front of a candidate. */
  readonly kept: string;
  readonly quote: Quote;
}

/** Reads a line up to the cursor. */
export function readBashLine(line: string, replaced: string): BashLine {
  const [, ...words] = wordsIn(line);
  const last = words.at(-1) ?? { text: "", start: line.length };
  const keptUntil = Math.max(last.start, line.length - replaced.length);
  const before = wordsIn(line.slice(last.start, keptUntil)).at(0);
  return { words: words.map(({ text }) => text), kept: before?.text ?? "", quote: before?.quote };
}

/** A candidate, or the rest of one, so that bash takes it for a single word within these quotes. */
export function quotedForBash(text: string, quote: Quote): string {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '"') return text.replaceAll(/["$`\\]/gu, "\\$&");
  return text.replaceAll(/[\s!"#$&'()*;<>?[\\\]^`{|}~]/gu, "\\$&");
}

interface Word {
  readonly text: string;
  /** Where it begins in the line, with its quotes. */
  readonly start: number;
  /** Quotes of it that are not closed. */
  readonly quote: Quote;
}

/** Words with their quotes removed; the last one is empty after a blank. */
function wordsIn(line: string): Word[] {
  const words: Word[] = [];
  let text = "";
  let start = 0;
  let quote: Quote;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? "";
    const next = line[at + 1] ?? "";
    if (quote === undefined && /\s/u.test(sign)) {
      if (at > start) words.push({ text, start, quote });
      [text, start] = ["", at + 1];
    } else if (sign === quote) quote = undefined;
    else if (quote === undefined && (sign === '"' || sign === "'")) quote = sign;
    else if (sign === "\\" && (quote === undefined || (quote === '"' && /["$`\\]/u.test(next)))) {
      text += next;
      at += 1;
    } else text += sign;
  }
  return [...words, { text, start, quote }];
}
