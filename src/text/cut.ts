import { cutCodePoints } from "./code-points.ts";
import { cutAtGrapheme } from "./grapheme-clusters.ts";
import { scriptPattern } from "./script-pattern.ts";
import { unspacedScripts } from "./scripts.ts";

/** A piece cut out of a text by code units, without a lone half of a surrogate pair at either end. */
export function withoutHalves(piece: string): string {
  return piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/**
 * The text, or, if it is too long, its beginning with `…` at the end, at most `maxLength` code points. Splits no
 * user-perceived character.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength || cutCodePoints(text, maxLength).length === text.length) return text;
  if (maxLength <= 0) return "";
  return `${cutAtGrapheme(text, cutCodePoints(text, maxLength - 1).length).trimEnd()}…`;
}

/**
 * Collapses white space to single blanks and cuts to `maxLength` code points. Of a long text only the beginning is
 * looked at.
 */
export function oneLine(text: string, maxLength: number): string {
  const start = cutCodePoints(text.trimStart(), maxLength * 4 + 64);
  return cutText(start.replace(/\s+/g, " ").trim(), maxLength);
}

/** Only a word of a sentence: of a path, or of a long word, a part is better than nothing on a line. */
const brokenWord = scriptPattern(
  String.raw`(?<=\S)\s+[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{1,20}…$`,
);

/** The same, but cut between words, unless the last one is long: half a word would be indexed as a word. */
export function oneLineOfWords(text: string, maxLength: number): string {
  const cut = oneLine(text, maxLength);
  // With the same length, nothing was cut.
  const isCut = cut.endsWith("…") && oneLine(text, maxLength + 1) !== cut;
  return isCut ? withoutBrokenWord(cut) : cut;
}

/** A text that was cut and ends with `…`, without the word in which it was cut, unless that word is long. */
export function withoutBrokenWord(cut: string): string {
  return cut.replace(brokenWord(cut), "…");
}

const brokenEnd = scriptPattern(`(?<=\\s)[^\\s${unspacedScripts}]{1,40}$`);

/** The beginning of a text that was cut before `next`, without what the cut splits: a word, a path or an address. */
export function wholeWords(beginning: string, next = ""): string {
  return (/^\s/.test(next) ? beginning : beginning.replace(brokenEnd(beginning), "")).trimEnd();
}

/** Whether a text begins with another one, ignoring the `…` with which the other may have been cut. */
export function beginsWith(text: string, beginning: string): boolean {
  return text.startsWith(beginning.replace(/…$/u, ""));
}
