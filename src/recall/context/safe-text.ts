import { cutCodePoints } from "../../text/code-points.ts";
import { withoutBrokenWord } from "../../text/cut.ts";
import { cutAtGrapheme } from "../../text/grapheme-clusters.ts";

/*
 * Stored text inside a fence is data: it can neither close nor forge the fence nor begin a line of its own.
 * Markup characters are escaped, every kind of line break is folded or quoted, and characters that nobody
 * sees, or that reorder what one sees, are dropped.
 */

const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
const unseen =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|\u034f/gu;
/**
 * Selectors and joiners belong to emoji and to some scripts, but only one of a kind changes what one sees; a run of
 * them can spell a whole hidden text.
 */
const unseenRun =
  /(?<=\p{Variation_Selector})\p{Variation_Selector}+|(?<=\p{Join_Control})(?:\p{Join_Control}|\p{Variation_Selector})+/gu;
const loneSurrogate = /\p{Cs}/gu;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Stored text as one line: white space collapsed, invisible characters dropped, markup escaped. */
export function safeLine(text: string): string {
  return visibleLine(text).replace(/[&<>]/gu, escaped);
}

/** The lines of stored text that are not blank, each safe. */
export function safeLines(text: string): string[] {
  return text
    .split(lineBreak)
    .map(safeLine)
    .filter((line) => line !== "");
}

/** Stored text for an attribute in double quotes. */
export function safeAttribute(text: string): string {
  return visibleLine(text).replace(/[&<>"]/gu, escaped);
}

/**
 * The beginning of stored text on one line, at most `max` code points, with `…` where it was cut, between words. Not
 * yet escaped.
 */
export function shortened(text: string, max: number): string {
  // White space may collapse, so somewhat more than `max` is read, but not the whole of a long text.
  const line = visibleLine(cutCodePoints(text, 4 * max + 64));
  const cut = cutCodePoints(line, max);
  if (cut === line) return line;
  const start = cutAtGrapheme(line, cutCodePoints(line, max - 1).length);
  const marked = `${start.trimEnd()}…`;
  return line[start.length] === " " ? marked : withoutBrokenWord(marked);
}

function visibleLine(text: string): string {
  return text
    .replace(loneSurrogate, "\ufffd")
    .replace(unseen, "")
    .replace(unseenRun, "")
    .replace(/[\s\u0085]+/gu, " ")
    .trim();
}

function escaped(character: string): string {
  return entities[character] ?? character;
}
